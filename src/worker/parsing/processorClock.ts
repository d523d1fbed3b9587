import { Worker } from "node:worker_threads";

/** Index of the cell with the number of the current file, which is 0 while there is no file. */
export const FILE = 0;
export const ASLEEP = 1;

/** File descriptor on which the clock reports; lower numbers are the standard streams and the message channel. */
export const CLOCK_STREAM = 4;

/** Maximum memory of a process in megabytes, also outside the heap. More memory indicates a hostile file. */
export const MOST_MB = 900;

/**
 * Reports the processor time and memory of the current file to the parent process, even if parsing hangs.
 * `thread` is the path of the compiled `clockThread.ts`. The thread sleeps while there is no file. During a
 * run of small files it polls, because waking a thread takes longer than reading some of these files.
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
