/** A measure with one of the twelve remedies and without it, question by question. */
export interface PointResult {
	readonly point: number;
	readonly remedy: string;
	readonly measure: string;
	readonly with: readonly number[];
	readonly without: readonly number[];
}

/** Marks of each question with the remedy, and without it. */
export function compared(
	told: Pick<PointResult, "point" | "remedy" | "measure">,
	marks: readonly (readonly [number, number])[],
): PointResult {
	return { ...told, with: marks.map(([one]) => one), without: marks.map(([, other]) => other) };
}
