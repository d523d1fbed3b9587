interface Ranked {
	readonly uri: string;
	/** 0 to 1. */
	readonly score: number;
	/** Whether it is running text; other passages verbalize a resource and are ranked without their document. */
	readonly isText: boolean;
}

interface DocumentRanking {
	/** Weights of a document's passages after its best one, best first. */
	readonly weights: readonly number[];
	/** Assumed share of the best score for passages that a document is too short to have. */
	readonly absent: number;
	/** Factor for each further passage of the same document. */
	readonly decay: number;
	/** Factor for short documents, which are near to any question with their words. */
	readonly short: number;
}

/** Lengths of documents, in passages. */
export interface Lengths {
	readonly median: number;
	of(uri: string): number;
}

/** Share of the median length below which a document is short. */
const SHORT = 0.2;

/** Chosen in docs/eval.md. */
export const BY_DOCUMENT: DocumentRanking = {
	weights: [0.1, 0.05, 0.025],
	absent: 0.85,
	decay: 0.9,
	short: 0.9,
};

/** Prefers documents with several good passages, spreads hits over documents, demotes very short ones. */
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

	/** 0 to 1: the weighted sum of a document's scores, as a share of the sum if all equaled the best. */
	function shareOf(found: readonly Ranked[], length: number): number {
		const best = found[0]?.score ?? 0;
		const others = weights.map((weight, index) => {
			const next = found[index + 1]?.score ?? 0;
			return weight * (index + 1 < length ? next : absent * best);
		});
		return (best + others.reduce((sum, other) => sum + other, 0)) / (best * most);
	}
}

/** The median, ignoring documents without passages. */
export function medianLength(lengths: readonly number[]): number {
	const sorted = lengths.filter((length) => length > 0).sort((a, b) => a - b);
	return sorted[sorted.length >> 1] ?? 1;
}
