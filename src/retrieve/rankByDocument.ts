interface Ranked {
	readonly uri: string;
	/** 0 to 1. */
	readonly score: number;
	/** Whether the passage is running text. Passages that verbalize a resource are ranked without their document. */
	readonly isText: boolean;
}

interface DocumentRanking {
	/** Weights of a document's passages after the best one, best first. */
	readonly weights: readonly number[];
	/** Share of the best score that counts for each passage that a short document lacks. */
	readonly absent: number;
	/** Factor for the score of each further passage from the same document. */
	readonly decay: number;
	/** Factor for the scores of short documents, which resemble any question with their words. */
	readonly short: number;
}

/** Lengths of documents, in passages. */
export interface Lengths {
	readonly median: number;
	of(uri: string): number;
}

/** Documents shorter than this share of the median length are short. */
const SHORT = 0.2;

/** Values were chosen by experiments: see docs/eval.md. */
export const BY_DOCUMENT: DocumentRanking = {
	weights: [0.1, 0.05, 0.025],
	absent: 0.85,
	decay: 0.9,
	short: 0.9,
};

/** Raises documents with several good passages, spreads hits over documents and lowers very short documents. */
export function rankByDocument<Passage extends Ranked>(
	passages: readonly Passage[],
	lengths: Lengths,
	{ weights, absent, decay, short }: DocumentRanking = BY_DOCUMENT,
): Passage[] {
	const most = 1 + weights.reduce((sum, weight) => sum + weight, 0);
	const alone = 1 + absent * (most - 1);
	const texts = Map.groupBy(
		passages.filter(({ isText }) => isText),
		({ uri }) => uri,
	);
	const documents = new Map<string, { readonly share: number; readonly worth: number; taken: number }>();
	for (const [uri, found] of texts) {
		const length = lengths.of(uri);
		const worth = length < SHORT * lengths.median ? short : 1;
		documents.set(uri, { share: shareOf(found, length), worth, taken: 0 });
	}
	return passages
		.map((passage) => {
			const { uri, score, isText } = passage;
			const document = isText ? documents.get(uri) : undefined;
			if (!document) return { ...passage, score: (score * alone) / most };
			const { worth, share } = document;
			return { ...passage, score: score * worth * share * decay ** document.taken++ };
		})
		.sort((a, b) => b.score - a.score);

	/** The weighted sum of a document's scores as a share, from 0 to 1, of the sum if all scores equaled the best. */
	function shareOf(found: readonly Ranked[], length: number): number {
		const best = found[0]?.score ?? 0;
		const others = weights.map((weight, index) => {
			const next = found[index + 1]?.score ?? 0;
			return weight * (index + 1 < length ? next : absent * best);
		});
		return (best + others.reduce((sum, other) => sum + other, 0)) / (best * most);
	}
}

/** Ignores documents without passages. At least 1. */
export function medianLength(lengths: readonly number[]): number {
	const sorted = lengths.filter((length) => length > 0).sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? 1;
}
