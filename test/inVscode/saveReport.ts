import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

export async function saveReport() {
	const folder = await mkdtemp(join(tmpdir(), "report-"));
	try {
		const path = join(folder, "report.json");
		await vscode.commands.executeCommand("copilot-ld.reportProblem", vscode.Uri.file(path));
		const text = await readFile(path, "utf8");
		return { text, report: JSON.parse(text) };
	} finally {
		await rm(folder, { recursive: true });
	}
}

/** Finds the child process of this extension host that runs the worker. Linux only. */
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
