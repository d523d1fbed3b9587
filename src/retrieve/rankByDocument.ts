/** What there is to know of a passage to rank its document. */
interface Ranked {
	readonly uri: string;
	/** 0 to 1. */
	readonly score: number;
	/** Whether it is running text: what verbalizes a resource is a whole by itself, whatever else its file says. */
	readonly isText: boolean;
}

interface DocumentRanking {
	/** What the passages of a document that come after its best one count, best first. */
	readonly weights: readonly number[];
	/** What a passage is taken to be that a document is too short to have, as part of its best one. */
	readonly absent: number;
	/** What a passage is worth against the one before it of the same document. */
	readonly decay: number;
}

/** Chosen in docs/eval.md. */
export const BY_DOCUMENT: DocumentRanking = { weights: [0.1, 0.05, 0.025], absent: 0.85, decay: 0.9 };

/**
 * Ranks again: a document in which several passages fit comes before one that has a single good one, and the second
 * passage of a document gives way to the first of another that is nearly as good. Short documents lose nothing.
 */
export function rankByDocument<Passage extends Ranked>(
	passages: readonly Passage[],
	lengthOf: (uri: string) => number,
	{ weights, absent, decay }: DocumentRanking = BY_DOCUMENT,
): Passage[] {
	const most = 1 + weights.reduce((sum, weight) => sum + weight, 0);
	const documents = Map.groupBy(
		passages.filter(({ isText }) => isText),
		({ uri }) => uri,
	);
	const shares = new Map([...documents].map(([uri, found]) => [uri, shareOf(found, lengthOf(uri))]));
	const alone = 1 + absent * (most - 1);
	const taken = new Map<string, number>();
	return passages
		.map((passage) => {
			const { uri, score, isText } = passage;
			if (!isText) return { ...passage, score: (score * alone) / most };
			const before = taken.get(uri) ?? 0;
			taken.set(uri, before + 1);
			return { ...passage, score: score * (shares.get(uri) ?? 1) * decay ** before };
		})
		.sort((a, b) => b.score - a.score);

	/** 0 to 1: what the passages of a document together give, as part of what they could if all were as the best. */
	function shareOf(found: readonly Ranked[], length: number): number {
		const best = found[0]?.score ?? 0;
		const others = weights.map((weight, index) => {
			const next = found[index + 1]?.score ?? 0;
			return weight * (index + 1 < length ? next : absent * best);
		});
		return (best + others.reduce((sum, other) => sum + other, 0)) / (best * most);
	}
}
