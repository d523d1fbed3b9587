/** How the cosines of a model are read, and what they count for. The figures were chosen by `npm run eval`. */
export interface VectorScale {
	/** Share of the fused score that the vectors decide; the words decide the rest. */
	readonly weight: number;
	/** From 0 for texts that have nothing to do with each other, to 1. */
	read(cosine: number): number;
	/** The cosine that the built-in model would give, for what `read` returned. */
	asBuiltIn(read: number): number;
}

/** Vectors of the built-in model: sums of the vectors of words. */
export const STATIC_SCALE: VectorScale = {
	weight: 0.4,
	read: (cosine) => cosine,
	asBuiltIn: (read) => read,
};

/** The part of their weight that vectors have if the model has not learned the question's language. */
const UNLEARNED = 0.3;

export function unlearned(scale: VectorScale): VectorScale {
	return { ...scale, weight: UNLEARNED * scale.weight };
}

/** The cosine of the built-in model between texts that have nothing to do with each other. */
const TYPICAL = 0.15;

/** With fewer passages, most may be meant, so the typical cosine says little. */
const FEW = 32;

/**
 * Some transformers give any two texts a cosine of .7, so what counts is how much nearer than a typical text one is.
 * `compared`: how many passages there are to compare with.
 */
export function transformerScale(typicalCosine: number, compared: number): VectorScale {
	const floor = typicalCosine * Math.min(1, compared / FEW);
	return {
		weight: 0.65,
		read: (cosine) => Math.max(0, (cosine - floor) / (1 - floor)),
		asBuiltIn: (read) => TYPICAL + (1 - TYPICAL) * read,
	};
}
