import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { BEFORE, CLOCK_STREAM, FILE, processorMs } from "./processorClock.ts";

// The thread of the processor's clock: it goes on while the parser's own thread hangs.
/** How often it speaks while a file is at work. */
const TICK_MS = 200;

tick(workerData);

function tick(cells: Int32Array): never {
	for (;;) {
		const file = Atomics.load(cells, FILE);
		if (file === 0) Atomics.wait(cells, FILE, 0);
		else if (Atomics.wait(cells, FILE, file, TICK_MS) === "timed-out")
			writeSync(CLOCK_STREAM, `${file} ${processorMs() - Atomics.load(cells, BEFORE)}\n`);
	}
}
