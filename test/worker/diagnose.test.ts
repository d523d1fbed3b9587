import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { InnerSpan } from "../../src/base/traces/recorder.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import { diagnose, spansEnded } from "../../src/protocol/worker.ts";
import { type Machine, requireMachine, TRIAL } from "../../src/worker/machine.ts";
import { assertNone } from "../support/assertNone.ts";
import { makeFolder } from "../support/folder.ts";
import { WORKER } from "../support/programs.ts";
import { MODEL_FOLDER, makeWorkspace, never, startWorker, unheard } from "./workspace.ts";

async function open(t: TestContext) {
	const { dataFolder, folder } = await makeWorkspace(t, { "salaries.md": "# Anna\n\nEarns a lamp.\n" });
	const worker = await startWorker(t, { dataFolder, modelFolder: MODEL_FOLDER, folders: [folder] });
	return { ...worker, diagnose: () => worker.connection.sendRequest(diagnose, {}) };
}

test("the worker tells what it was asked and how long it took, a span what it did for it, and no word of it", async (t) => {
	const { knowledge, connection, diagnose: ask } = await open(t);
	const told: InnerSpan[] = [];
	connection.onNotification(spansEnded, ({ spans }) => void told.push(...spans));
	await knowledge.index({ rebuild: false }, unheard, never);
	const search = () => knowledge.search({ query: "who earns a lamp", door: "chat" }, never);
	await search();
	const { entries, residentMb } = await ask();
	assert.ok(residentMb > 10);
	const asked = entries.filter(({ namespace }) => namespace === "worker");
	const outcomes = asked.map(({ event, facts }) => `${event} ${facts?.["outcome"]}`);
	assert.deepEqual(outcomes, ["copilot-ld/knowledge/index done", "copilot-ld/knowledge/search done"]);
	assert.ok(entries.some(({ event }) => event === "parser starts"));
	assertNone(told);
	const [context, before] = [newTraceContext(), Date.now()];
	await inTrace(context, search);
	const whole = told.find(({ title }) => title === "copilot-ld/knowledge/search");
	assert.deepEqual([whole?.traceId, whole?.parentId], Object.values(context));
	const parts = told.filter(({ parentId }) => parentId === whole?.spanId).map(({ title }) => title);
	for (const part of ["open", "search by words", "embed the query", "search by meaning", "read passages"])
		assert.ok(parts.includes(part), `${part} is not among ${parts}`);
	assert.ok(told.every(({ startedAt, durationMs }) => startedAt > before - 1000 && durationMs >= 0));
	assert.doesNotMatch(JSON.stringify([entries, told]), /salaries|Anna|lamp/);
});

const windows = { platform: "win32", arch: "x64", processor: "", ended: [0, null] } as const;

test("says in one sentence why the index cannot run, and tries only if nothing else tells", async (t) => {
	const machines = [
		{ ...windows, arch: "arm64", trials: 0 },
		{ ...windows, platform: "darwin", trials: 0, says: /no version for this system/ },
		{ ...windows, platform: "linux", processor: "flags : sse4_2 avx2", trials: 0 },
		{ ...windows, platform: "linux", processor: "flags : sse4_2", trials: 1 },
		{ ...windows, trials: 1 },
		{ ...windows, ended: [null, "SIGILL"], trials: 1, says: /does not have AVX2/ },
		{ ...windows, ended: [0xc000_001d, null], trials: 1, says: /does not have AVX2/ },
		{ ...windows, ended: [1, null], trials: 1, says: /no version for this system/ },
	] as const;
	for (const { trials, ended, processor, ...machine } of machines) {
		const folder = await makeFolder(t);
		let tried = 0;
		const trial: Machine["trial"] = async () => {
			tried++;
			return ended;
		};
		const look = () => requireMachine(folder, { ...machine, trial, processor: async () => processor });
		if ("says" in machine) await assert.rejects(look(), { code: "UNSUPPORTED", message: machine.says });
		else for (const _ of ["first", "again"]) await look();
		assert.equal(tried, trials);
	}
});

test("the trial runs in a process of its own", async () => {
	const child = fork(WORKER, ["--node-ipc", TRIAL], { execArgv: [], silent: true });
	assert.deepEqual(await once(child, "exit"), [0, null]);
});
