import { Worker } from "node:worker_threads";

/** Where the file at work has its number, and whether the thread sleeps until there is one. */
export const FILE = 0;
export const ASLEEP = 1;

/** The stream on which the clock speaks, beside the standard ones and that of messages. */
export const CLOCK_STREAM = 4;

/**
 * Tells the starter of this process what the file at work takes of the processor, even where it hangs.
 * `thread` is the program of `clockThread.ts`. It sleeps while no file is at work, and looks at a run of small ones from
 * time to time by itself: to wake it for each would take longer than some of them.
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
