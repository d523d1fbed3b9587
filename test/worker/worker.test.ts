import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { InnerSpan } from "../../src/base/traces/recorder.ts";
import { inTrace, newTraceContext } from "../../src/base/traces/traceContext.ts";
import type { IndexProgress } from "../../src/core/knowledge/knowledge.ts";
import { diagnose, spansEnded } from "../../src/protocol/worker.ts";
import { type Machine, requireMachine, TRIAL } from "../../src/worker/machine.ts";
import { assertNone } from "../support/assertNone.ts";
import { makeFolder } from "../support/folder.ts";
import { WORKER } from "../support/programs.ts";
import { manyFiles } from "./embedding/embeddingWorker.ts";
import { type Files, makeWorkspace, never, PEOPLE, startIn, type Workspace } from "./workspace.ts";

const FILES: Files = {
	"lighthouses.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n\n## Keepers\n\nAnna Holm.\n",
	"people.html": PEOPLE,
	"notes/bread.txt": "Bread is baked at night.\n",
};

async function open(t: TestContext, files: Files = FILES, given?: Workspace) {
	const workspace = given ?? (await makeWorkspace(t, files));
	const worker = await startIn(t, workspace);
	/** Places of the hits of a query, best first: `path:first-last`. */
	const places = async (query: string) => {
		const { hits } = await worker.search(query);
		return hits.map(({ path, lines }) => `${path}:${lines.start}-${lines.end}`);
	};
	return { ...worker, workspace, places };
}

test("a search of an empty index asks to index; after indexing, a question finds the exact lines", async (t) => {
	const { index, search, places, knowledge, stop } = await open(t);
	const { hits, notices } = await search("anything");
	assert.deepEqual([hits, notices], [[], ['Nothing is indexed yet. Run "Copilot-LD: Index Workspace".']]);
	assert.equal((await knowledge.status(never)).state, "empty");
	const report = await index();
	assert.partialDeepStrictEqual(report, { indexed: 3, unchanged: 0, removed: 0, skipped: 0, failed: 0 });
	assert.equal((await places("When is the lamp lit?"))[0], "lighthouses.md:3-7");
	assert.equal((await places("baked bread"))[0], "notes/bread.txt:1-1");
	const status = await knowledge.status(never);
	assert.deepEqual([status.state, status.documents, status.passages], ["ready", 3, report.passages]);
	assert.deepEqual([status.legs, status.notices], [["text", "vector"], []]);
	await stop();
});

test("a second run on unchanged files writes nothing", async (t) => {
	const files = { ...FILES, "picture.png": new Uint8Array([137, 80, 78, 71]) };
	const { workspace, index, stop } = await open(t, files);
	assert.equal((await index()).skipped, 1);
	await stop();
	const again = await open(t, files, workspace);
	await again.knowledge.status(never);
	// Every write creates a file.
	const listIndex = () => readdir(join(workspace.dataFolder, "index"), { recursive: true });
	const before = await listIndex();
	const counts = { indexed: 0, unchanged: 4, removed: 0, skipped: 0, failed: 0 };
	assert.partialDeepStrictEqual(await again.index(), counts);
	// On a slow machine, files that the first run outdated may be deleted meanwhile.
	const added = (await listIndex()).filter((name) => !before.includes(name));
	assert.deepEqual([added, before.length > 0], [[], true]);
	assert.equal((await again.places("When is the lamp lit?"))[0], "lighthouses.md:3-7");
});

test("a worker answers during a run, and a later run continues a canceled run", async (t) => {
	const { index, knowledge, search } = await open(t, manyFiles(1500));
	const controller = new AbortController();
	const ask = async () =>
		[(await search("lamps")).notices[0], (await knowledge.status(never)).state] as const;
	let asked: ReturnType<typeof ask> | undefined;
	const onProgress = ({ done }: IndexProgress) => {
		if (done > 0) asked ??= ask();
		if (done > 600) void asked?.finally(() => controller.abort());
	};
	const run = knowledge.index({ rebuild: false }, onProgress, controller.signal);
	await assert.rejects(run, { name: "AbortError" });
	const [notice, state] = (await asked) ?? [];
	assert.match(notice ?? "", /^The index is still being built: [\d,]+ of 1,500 files\.$/);
	assert.equal(state, "indexing");
	const { unchanged, indexed } = await index();
	assert.equal(unchanged + indexed, 1500);
	// The first batches were written before the cancellation.
	assert.ok(unchanged >= 250, `${unchanged} files were kept`);
});

test("the old index answers during a rebuild and after a canceled rebuild", async (t) => {
	const { index, knowledge, places } = await open(t);
	await index();
	const controller = new AbortController();
	const asked = Promise.withResolvers<readonly string[]>();
	const onProgress = () => {
		places("When is the lamp lit?").then(asked.resolve, asked.reject);
		controller.abort();
	};
	const run = knowledge.index({ rebuild: true }, onProgress, controller.signal);
	await assert.rejects(run, { name: "AbortError" });
	assert.equal((await asked.promise)[0], "lighthouses.md:3-7");
	assert.equal((await knowledge.status(never)).documents, 3);
	const { indexed, contents } = await index(true);
	assert.deepEqual([indexed, contents.documents], [3, 3]);
});

test("a worker ends when its pipe closes, even during a run", async (t) => {
	const { process: child, index } = await open(t, manyFiles(1000));
	const report = assert.rejects(index());
	child.disconnect();
	await once(child, "exit");
	await report;
});

test("a paused worker adds a notice to answers, and can be stopped", async (t) => {
	const { workspace, index, search, knowledge, catalog, stop } = await open(t);
	await index();
	await catalog.pause(true, never);
	const { notices } = await search("lamp");
	assert.equal((await knowledge.status(never)).state, "paused");
	assert.deepEqual(notices, ["Indexing is paused: later changes are not in the index."]);
	const refused = assert.rejects(catalog.reindex([workspace.uri("people.html")], never));
	await stop();
	await refused;
});

test("the worker reports requests, durations and spans, but no contents", async (t) => {
	const { index, knowledge, connection } = await open(t, { "salaries.md": "# Anna\n\nEarns a lamp.\n" });
	await index();
	const told: InnerSpan[] = [];
	connection.onNotification(spansEnded, ({ spans }) => void told.push(...spans));
	const search = () => knowledge.search({ query: "who earns a lamp", channel: "chat" }, never);
	await search();
	const { entries, residentMb } = await connection.sendRequest(diagnose, {});
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

test("an unsupported machine gets a message; LanceDB is tried only if the processor is unknown", async (t) => {
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

test("the trial of LanceDB runs in a separate process", async () => {
	const child = fork(WORKER, ["--node-ipc", TRIAL], { execArgv: [], silent: true });
	assert.deepEqual(await once(child, "exit"), [0, null]);
});
