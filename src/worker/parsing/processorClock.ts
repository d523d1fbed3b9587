import { Worker } from "node:worker_threads";

/** Where the file at work has its number, and what the process had taken when it began. */
export const FILE = 0;
export const BEFORE = 1;

/** The stream on which the clock speaks, beside the standard ones and that of messages. */
export const CLOCK_STREAM = 4;

/** Tells the starter of this process what the file at work takes of the processor, even where it hangs. */
export interface ProcessorClock {
	begin(): void;
	end(): void;
}

/** `thread` is the program of `clockThread.ts`. It sleeps while no file is at work. */
export function startProcessorClock(thread: string): ProcessorClock {
	const cells = new Int32Array(new SharedArrayBuffer(8));
	let files = 0;
	new Worker(thread, { workerData: cells, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
	const show = (file: number) => {
		Atomics.store(cells, BEFORE, processorMs());
		Atomics.store(cells, FILE, file);
		Atomics.notify(cells, FILE);
	};
	return { begin: () => show(++files), end: () => show(0) };
}

/** What this process has taken of the processor. */
export function processorMs(): number {
	const { user, system } = process.cpuUsage();
	return Math.round((user + system) / 1000);
}
