export interface Named {
	readonly id: string;
	readonly title: string;
}

const TITLE = 60;
const ID = 8;

export function namedSession({ id, title }: Named): string {
	// In a prompt, VS Code takes some of them for more than text.
	const words = title
		.replace(/[\p{C}\s@#/]+/gu, " ")
		.trim()
		.slice(0, TITLE)
		.trim();
	return words === "" || id.length <= ID ? id : `${words} (${id.slice(0, ID)})`;
}

/** Tests whether a session has the given name; `undefined` if an id was given. */
export function meaning(wanted: string): ((session: Named) => boolean) | undefined {
	const beginning = /\(([\w-]{8})\)$/.exec(wanted)?.[1];
	if (beginning !== undefined) return ({ id }) => id.startsWith(beginning);
	if (/^[\w-]+$/.test(wanted)) return undefined;
	const words = wanted.toLowerCase();
	return ({ title }) => title.toLowerCase().includes(words);
}
