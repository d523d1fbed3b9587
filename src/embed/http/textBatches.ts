/** Characters of one request: some 8,000 tokens, which the smallest servers take. */
const MOST_CHARACTERS = 32_000;

/** Texts in the order in which they came, in groups of at most so many texts and characters; no group is empty. */
export function batchesOf(texts: readonly string[], size: number): string[][] {
	const batches: string[][] = [];
	let last: string[] = [];
	let characters = 0;
	for (const text of texts) {
		characters += text.length;
		if (last.length === 0 || last.length >= size || characters > MOST_CHARACTERS) {
			last = [];
			characters = text.length;
			batches.push(last);
		}
		last.push(text);
	}
	return batches;
}
