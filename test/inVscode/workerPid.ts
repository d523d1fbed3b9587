import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

/** The one child of this extension host that runs the worker's program, as Linux lists it. */
export function workerPid(): number {
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	const worker = pids.find((pid) => isWorker(`/proc/${pid}`));
	assert.ok(worker, "No worker runs.");
	return Number(worker);
}

function isWorker(folder: string): boolean {
	try {
		const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`${folder}/status`, "utf8"))?.[1];
		return Number(parent) === process.pid && readFileSync(`${folder}/cmdline`, "utf8").includes("worker.cjs");
	} catch {
		// The process ended while the list was read.
		return false;
	}
}
