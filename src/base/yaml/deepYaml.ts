/** Brackets inside brackets. */
const MAX_NESTING = 50;

const SEQUENCES_IN_SEQUENCES = /(?:[-?:][^\S\n]+){50}/;

/** The library would go on until the stack is full, which is not the same place every time. */
export function isDeepYaml(text: string): boolean {
	let depth = 0;
	let deepest = 0;
	for (const mark of text) {
		if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++depth);
		else if (mark === "]" || mark === "}") depth--;
	}
	return deepest > MAX_NESTING || SEQUENCES_IN_SEQUENCES.test(text);
}
