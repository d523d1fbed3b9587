/** Saturation and length normalization as usual: Robertson and Zaragoza, “The Probabilistic Relevance Framework”, 2009. */
const K1 = 1.2;
const B = 0.75;

/** How much each text has to do with a query, by BM25 over these texts; 0 where no word is shared. */
export function relevanceOf(query: string, texts: readonly string[]): number[] {
	const wanted = new Set(wordsOf(query));
	const documents = texts.map(wordsOf);
	const averageLength =
		documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length);
	const rarity = new Map([...wanted].map((word) => [word, inverseFrequency(word, documents)]));
	return documents.map((words) => {
		const length = K1 * (1 - B + (B * words.length) / Math.max(1, averageLength));
		const counts = new Map<string, number>();
		for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
		return [...counts].reduce(
			(sum, [word, count]) => sum + ((rarity.get(word) ?? 0) * count * (K1 + 1)) / (count + length),
			0,
		);
	});
}

function inverseFrequency(word: string, documents: readonly (readonly string[])[]): number {
	const having = documents.filter((words) => words.includes(word)).length;
	return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
}

function wordsOf(text: string): string[] {
	return (
		text
			.normalize("NFKC")
			.toLowerCase()
			.match(/[\p{L}\p{N}]+/gu) ?? []
	);
}
