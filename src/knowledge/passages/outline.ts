import { shorten } from "./words.ts";

/** What stands between the headings of a path. */
export const PATH_MARK = " › ";

/** Characters; longer ones are whole texts in the wrong element. */
const MAX_HEADING = 200;

/** The headings that a place in a text is below. */
export function createOutline() {
	let headings: { readonly level: number; readonly heading: string }[] = [];
	return {
		/** A heading begins; those of its level and below end. Levels are 1 to 6, 1 the outermost. */
		enter: (level: number, heading: string): void => {
			headings = headings.filter((outer) => outer.level < level);
			if (heading !== "") headings.push({ level, heading: shorten(heading, MAX_HEADING) });
		},
		/** The headings from the outermost in. */
		path: (): readonly string[] => headings.map(({ heading }) => heading),
	};
}

/** One title for a place: the text's own title, unless its first heading says the same, and the headings. */
export function toPathTitle(title: string, path: readonly string[]): string {
	const name = shorten(title, MAX_HEADING);
	return (path[0] === name ? path : [name, ...path]).join(PATH_MARK);
}
