/** Scale and weight of a model's cosines. `npm run eval` was used to choose the numbers. */
export interface VectorScale {
	/** Share of the fused score that vectors decide; words decide the rest. */
	readonly weight: number;
	/** Converts a cosine into a similarity from 0, for unrelated texts, to 1. */
	read(cosine: number): number;
	/** Converts a similarity from `read` into the equivalent cosine of the built-in model. */
	asBuiltIn(read: number): number;
}

/** Scale of the built-in model. */
export const STATIC_SCALE: VectorScale = {
	weight: 0.4,
	read: (cosine) => cosine,
	asBuiltIn: (read) => read,
};

/** Factor for `weight` if the model was not trained on the question's language. */
const UNLEARNED = 0.3;

export function unlearned(scale: VectorScale): VectorScale {
	return { ...scale, weight: UNLEARNED * scale.weight };
}

/** Typical cosine of the built-in model between unrelated texts. */
const TYPICAL = 0.15;

/** Minimum number of compared passages for a reliable typical cosine: of fewer, most may be relevant. */
const FEW = 32;

/**
 * Subtracts the typical cosine, because some transformers give any two texts a cosine of 0.7.
 * `compared` is the number of passages compared.
 */
export function transformerScale(typicalCosine: number, compared: number): VectorScale {
	const floor = typicalCosine * Math.min(1, compared / FEW);
	return {
		weight: 0.65,
		read: (cosine) => Math.max(0, (cosine - floor) / (1 - floor)),
		asBuiltIn: (read) => TYPICAL + (1 - TYPICAL) * read,
	};
}
