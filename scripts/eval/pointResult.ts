/** A measure with and without one of the twelve remedies, by question. */
export interface PointResult {
	readonly point: number;
	readonly remedy: string;
	readonly measure: string;
	readonly with: readonly number[];
	readonly without: readonly number[];
}

/** A result from pairs of marks: with the remedy, and without it. */
export function compared(
	told: Pick<PointResult, "point" | "remedy" | "measure">,
	marks: readonly (readonly [number, number])[],
): PointResult {
	return { ...told, with: marks.map(([one]) => one), without: marks.map(([, other]) => other) };
}
