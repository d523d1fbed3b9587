import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

/** 50th and 95th percentile of runs, in milliseconds. */
export interface Latency {
	readonly p50: number;
	readonly p95: number;
}

export interface Timed extends Latency {
	/** Processor time of one run in all threads; other work on the machine affects it less than wall time. */
	readonly cpuMs: number;
}

export function latencyOf(times: readonly number[]): Latency {
	const sorted = [...times].sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
	return { p50: at(0.5), p95: at(0.95) };
}

/** Runs a function; returns its duration in milliseconds and its result. */
export async function timed<Result>(
	run: () => Result | Promise<Result>,
): Promise<{ ms: number; result: Result }> {
	const start = performance.now();
	const result = await run();
	return { ms: performance.now() - start, result };
}

/** Runs each query in its own turn of the event loop, as over a pipe; the first tenth only warms up. */
export async function timeEach<Query>(
	queries: readonly Query[],
	run: (query: Query) => unknown,
): Promise<Timed> {
	for (const query of queries.slice(0, Math.ceil(queries.length / 10))) await run(query);
	const times: number[] = [];
	const before = process.cpuUsage();
	for (const query of queries) {
		await setImmediate();
		times.push((await timed(() => run(query))).ms);
	}
	const { user, system } = process.cpuUsage(before);
	return { ...latencyOf(times), cpuMs: (user + system) / 1000 / queries.length };
}

/** Resident memory of this process, in MB. */
export function residentMb(): number {
	return Math.round(process.memoryUsage.rss() / 1_048_576);
}
