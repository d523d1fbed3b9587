export function wordList(text: string): string[] {
	return text.trim().split(/\s+/);
}

export function wordSet(text: string): ReadonlySet<string> {
	return new Set(wordList(text));
}

/** Parses `key=value` pairs separated by white space. */
export function wordMap(text: string): ReadonlyMap<string, string> {
	return new Map(
		wordList(text).map((pair): [string, string] => {
			const end = pair.indexOf("=", 1);
			return [pair.slice(0, end), pair.slice(end + 1)];
		}),
	);
}

export const WORD = /[\p{L}\p{N}]+/gu;

export function countWords(text: string): number {
	return text.match(WORD)?.length ?? 0;
}
