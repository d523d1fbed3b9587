import { shorten } from "./lines.ts";

export const PATH_MARK = " › ";

/** Characters; longer ones are whole texts in the wrong element. */
const MAX_HEADING = 200;

/** Headings above a position in a text. */
export function createOutline() {
	let headings: { readonly level: number; readonly heading: string }[] = [];
	return {
		/** Closes headings of the same and deeper levels. Levels are 1 (outermost) to 6. */
		enter: (level: number, heading: string): void => {
			headings = headings.filter((outer) => outer.level < level);
			if (heading !== "") headings.push({ level, heading: shorten(heading, MAX_HEADING) });
		},
		/** Outermost first. */
		path: (): readonly string[] => headings.map(({ heading }) => heading),
	};
}

/** The text's title, unless its first heading repeats it, and the headings. */
export function toPathTitle(title: string, path: readonly string[]): string {
	const name = shorten(title, MAX_HEADING);
	return (path[0] === name ? path : [name, ...path]).join(PATH_MARK);
}
