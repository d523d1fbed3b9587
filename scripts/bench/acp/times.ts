/** Statistics of repeated measurements, in milliseconds. */
export interface Times {
	readonly count: number;
	readonly median: number;
	readonly p99: number;
	readonly max: number;
}

export function summarize(times: readonly number[]): Times {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (share: number) =>
		round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
	return { count: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
}

export function round(ms: number): number {
	return Math.round(ms * 1000) / 1000;
}
