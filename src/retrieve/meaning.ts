/** What the vectors of a model are taken for. Chosen in docs/eval.md. */
export interface Meaning {
	/** Share of the fused score that the vectors decide; the words decide the rest. */
	readonly weight: number;
	/** What a cosine counts: 0 for what has nothing to do with the question, at most 1. */
	read(cosine: number): number;
	/** The cosine of the built-in model for what was read so. */
	asBuiltIn(read: number): number;
}

/** Vectors of the built-in model: sums of the vectors of words. */
export const OF_WORDS: Meaning = {
	weight: 0.4,
	read: (cosine) => cosine,
	asBuiltIn: (read) => read,
};

/** The part of their weight that vectors have if the model has not learned the question's language. */
const UNLEARNED = 0.3;

export function unlearned(meaning: Meaning): Meaning {
	return { ...meaning, weight: UNLEARNED * meaning.weight };
}

/** The cosine of the built-in model between texts that have nothing to do with each other. */
const TYPICAL = 0.15;

/** With fewer passages, most may be meant, so the typical cosine says little. */
const FEW = 32;

/**
 * Vectors of a transformer. Some give any two texts a cosine of .7: what counts is how much nearer than a typical text.
 * `near`: how many passages are compared.
 */
export function ofTexts(cosine: number, near: number): Meaning {
	const typicalCosine = cosine * Math.min(1, near / FEW);
	return {
		weight: 0.6,
		read: (cosine) => Math.max(0, (cosine - typicalCosine) / (1 - typicalCosine)),
		asBuiltIn: (read) => TYPICAL + (1 - TYPICAL) * read,
	};
}
