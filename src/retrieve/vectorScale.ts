/** Scale and weight of a model's cosines. The figures were chosen by `npm run eval`. */
export interface VectorScale {
	/** Share of the fused score that the vectors decide; the words decide the rest. */
	readonly weight: number;
	/** Likeness from 0 for unrelated texts to 1. */
	read(cosine: number): number;
	/** The equivalent cosine of the built-in model for a result of `read`. */
	asBuiltIn(read: number): number;
}

/** Scale of the built-in model, whose vectors are sums of word vectors. */
export const STATIC_SCALE: VectorScale = {
	weight: 0.4,
	read: (cosine) => cosine,
	asBuiltIn: (read) => read,
};

/** Factor for the weight of vectors if the model has not learned the question's language. */
const UNLEARNED = 0.3;

export function unlearned(scale: VectorScale): VectorScale {
	return { ...scale, weight: UNLEARNED * scale.weight };
}

/** Cosine of the built-in model between unrelated texts. */
const TYPICAL = 0.15;

/** Minimum number of passages for a reliable typical cosine: of fewer, most may be relevant. */
const FEW = 32;

/**
 * Some transformers give any two texts a cosine of .7, so only the excess over a typical text counts.
 * `compared`: number of passages compared.
 */
export function transformerScale(typicalCosine: number, compared: number): VectorScale {
	const floor = typicalCosine * Math.min(1, compared / FEW);
	return {
		weight: 0.65,
		read: (cosine) => Math.max(0, (cosine - floor) / (1 - floor)),
		asBuiltIn: (read) => TYPICAL + (1 - TYPICAL) * read,
	};
}
