import { cpus } from "node:os";
import { setTimeout } from "node:timers/promises";

/** Work between two looks, and how long one takes: nothing is embedded during it, so that all work seen is that of others. */
const EVERY_MS = 10_000;
const LOOK_MS = 250;

/** Share of all processors above which the machine counts as busy, and how long to pause then, at a time and in total. */
const BUSY = 0.6;
const REST_MS = 2_000;
const LONGEST_REST_MS = 30_000;

interface ProcessorTimes {
	readonly idle: number;
	readonly all: number;
}

/** Does long work in steps, with a rest in between if others need the machine: it goes on slowly then, but it goes on. */
export type BackgroundPace = <Result>(step: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

interface Surroundings {
	/** The times of all processors, since they started. */
	times(): ProcessorTimes;
	/** Rejects with the signal's reason. */
	sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const MACHINE: Surroundings = {
	times: readTimes,
	sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

export function createBackgroundPace({ times, sleep } = MACHINE): BackgroundPace {
	let workedMs = 0;
	return async (step, signal) => {
		if (workedMs > EVERY_MS) {
			await untilQuiet(signal);
			workedMs = 0;
		}
		const startedMs = performance.now();
		try {
			return await step();
		} finally {
			workedMs += performance.now() - startedMs;
		}
	};

	async function untilQuiet(signal: AbortSignal): Promise<void> {
		const startedMs = performance.now();
		while ((await isBusy(signal)) && performance.now() - startedMs < LONGEST_REST_MS)
			await sleep(REST_MS, signal);
	}

	async function isBusy(signal: AbortSignal): Promise<boolean> {
		const before = times();
		await sleep(LOOK_MS, signal);
		const after = times();
		return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all) > BUSY;
	}
}

function readTimes(): ProcessorTimes {
	let [idle, all] = [0, 0];
	for (const { times } of cpus()) {
		idle += times.idle;
		all += Object.values(times).reduce((sum, time) => sum + time, 0);
	}
	return { idle, all };
}
