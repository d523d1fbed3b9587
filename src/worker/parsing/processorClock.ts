import { Worker } from "node:worker_threads";

/** Cells for the number of the current file, and for whether the thread sleeps until there is one. */
export const FILE = 0;
export const ASLEEP = 1;

/** The stream on which the clock speaks, beside the standard ones and that of messages. */
export const CLOCK_STREAM = 4;

/** Megabytes that a process may take; more is a bomb. Not all of it is in the heap. */
export const MOST_MB = 900;

/**
 * Reports to the parent process what the current file takes of the processor and of memory, even if parsing hangs. `thread` is the program
 * of `clockThread.ts`. It sleeps while there is no file, and polls during a run of small ones: waking it for each would
 * take longer than some of them.
 */
export function startProcessorClock(thread: string) {
	const cells = new Int32Array(new SharedArrayBuffer(8));
	let files = 0;
	new Worker(thread, { workerData: cells, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
	return {
		begin: () => {
			Atomics.store(cells, FILE, ++files);
			if (Atomics.load(cells, ASLEEP) === 1) Atomics.notify(cells, FILE);
		},
		end: () => void Atomics.store(cells, FILE, 0),
	};
}

export function processorMs(): number {
	const { user, system } = process.cpuUsage();
	return Math.round((user + system) / 1000);
}
