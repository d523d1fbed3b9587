export interface SplitText {
	/** The YAML between the fences; its first line is the second of the text. */
	readonly head: string;
	readonly body: string;
}

/** Splits a text that begins with front matter, in a form that every reader accepts; `undefined` if it does not. */
export function splitFrontMatter(text: string): SplitText | undefined {
	const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
	return found ? { head: found[1] ?? "", body: text.slice(found[0].length) } : undefined;
}
