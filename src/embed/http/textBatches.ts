/** Characters of one request: about 8,000 tokens, which the smallest servers accept. */
const MOST_CHARACTERS = 32_000;

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
