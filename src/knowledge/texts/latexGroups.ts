/** What stands in braces, and where it ends. */
interface Group {
	readonly inner: string;
	readonly end: number;
}

/** Characters of an argument; what is longer is not closed. */
const LONGEST = 5000;
/** Braces that are not closed cost time: a text with more of them has no arguments any more. */
const MOST_UNCLOSED = 100;

/** Finds the arguments of commands in one text. */
export interface Groups {
	/** The group that begins there, after spaces. */
	at(from: number): Group | undefined;
	/** Behind `[…]`, if it begins there. */
	afterOption(at: number): number;
	/** Behind all groups and options that begin there. */
	afterAll(from: number): number;
}

export function createGroups(text: string): Groups {
	let unclosed = 0;
	const groupAt = (from: number): Group | undefined => {
		const start = skipSpace(text, from);
		if (text.charAt(start) !== "{" || unclosed > MOST_UNCLOSED) return undefined;
		const end = closingBrace(text, start);
		if (end !== undefined) return { inner: text.slice(start + 1, end), end: end + 1 };
		unclosed++;
		return undefined;
	};
	const afterOption = (from: number) => {
		const at = skipSpace(text, from);
		if (text.charAt(at) !== "[") return from;
		const end = text.slice(at, at + LONGEST).indexOf("]");
		return end < 0 ? from : at + end + 1;
	};
	return {
		at: groupAt,
		afterOption,
		afterAll: (from) => {
			let at = from;
			for (let groups = 0; groups < 9; groups++) {
				const next = afterOption(at);
				const group = groupAt(next);
				if (!group && next === at) break;
				at = group?.end ?? next;
			}
			return at;
		},
	};
}

export function skipSpace(text: string, from: number): number {
	let at = from;
	while (text.charAt(at) === " " || text.charAt(at) === "\t") at++;
	return at;
}

function closingBrace(text: string, start: number): number | undefined {
	let depth = 0;
	for (let at = start; at < text.length && at - start < LONGEST; at++) {
		const character = text.charCodeAt(at);
		if (character === 92) at++;
		else if (character === 123) depth++;
		else if (character === 125 && --depth === 0) return at;
	}
	return undefined;
}
