import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { ASLEEP, CLOCK_STREAM, FILE, MOST_MB, processorMs } from "./processorClock.ts";

// This thread of the processor clock runs even while the parser's own thread hangs.
const TICK_MS = 25;

const MB = 1e6;

tick(workerData);

function tick(cells: Int32Array): never {
	for (;;) {
		Atomics.store(cells, ASLEEP, 1);
		Atomics.wait(cells, FILE, 0);
		Atomics.store(cells, ASLEEP, 0);
		const file = Atomics.load(cells, FILE);
		const before = processorMs();
		// The end of a file does not wake this thread, which notices the end at the next tick.
		while (file !== 0 && Atomics.wait(cells, FILE, file, TICK_MS) === "timed-out") {
			const mb = process.memoryUsage.rss() / MB;
			const isHeard = speak(`${file} ${processorMs() - before} ${mb}\n`);
			// The worker may be too busy to end a hanging parser, or may itself have ended.
			if (mb > MOST_MB || !isHeard) process.kill(process.pid, "SIGKILL");
		}
	}
}

function speak(line: string): boolean {
	try {
		writeSync(CLOCK_STREAM, line);
		return true;
	} catch {
		return false;
	}
}
