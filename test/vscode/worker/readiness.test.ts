import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type {
	IndexProgress,
	IndexReport,
	IndexStatus,
	Knowledge,
} from "../../../src/core/knowledge/knowledge.ts";
import { createReadiness, tellingWords } from "../../../src/protocol/readiness.ts";
import { createMilestones } from "../../../src/vscode/chat/indexCommand.ts";
import { progressText } from "../../../src/vscode/worker/indexReport.ts";
import { createFolderReadiness, createIndexWatch } from "../../../src/vscode/worker/readiness.ts";
import { EventEmitter, workspace } from "../../support/fakeVscode.ts";

const never = new AbortController().signal;
const NONE = { documents: 0, passages: 0, resources: 0, quads: 0, failed: [], flawed: 0 };
const EMPTY = { ...NONE, skipped: { "no reader for .png files": 3 } };
const report: IndexReport = {
	contents: { ...EMPTY, documents: 1, passages: 2 },
	...{ indexed: 1, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 2, durationMs: 3 },
};

afterEach(() => {
	workspace.workspaceFolders = undefined;
});

function open({ folder = true, failure = undefined as Error | undefined, contents = report.contents } = {}) {
	workspace.workspaceFolders = folder ? [{ uri: { scheme: "file", fsPath: "/kb" }, name: "kb" }] : undefined;
	const failures = failure ? [failure] : [];
	const runs: boolean[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const knowledge: Knowledge = {
		...{ search: unasked, read: unasked },
		status: async () => ({ state: "ready", ...contents }) as IndexStatus,
		index: async ({ rebuild }, onProgress) => {
			runs.push(rebuild);
			onProgress({ done: 1, total: 4, found: 0, current: "a.md" });
			const thrown = failures.pop();
			if (thrown) throw thrown;
			return { ...report, contents };
		},
	};
	const said: string[] = [];
	const { event: onDidChangeIndex } = new EventEmitter<void>();
	const watch = createIndexWatch({ knowledge, onDidChangeIndex });
	const readiness = createFolderReadiness(knowledge, watch);
	const seen: (IndexProgress | undefined)[] = [];
	watch.onDidChange(({ progress }) => seen.push(progress));
	const ensure = () => readiness.ensure((progress) => said.push(progressText(progress)), never);
	return { readiness, runs, said, ensure, watch, seen };
}

test("without a folder a person is told to open one", async () => {
	const { ensure } = open({ folder: false });
	await assert.rejects(ensure(), { code: "NO_FOLDER", message: /^Open a folder first/ });
});

test("the first question brings the index in step and shows how far it is; the next one does not wait again", async () => {
	const { ensure, runs, said } = open();
	await ensure();
	await ensure();
	assert.deepEqual(runs, [false]);
	assert.deepEqual(said, ["Comparing the index with the files", "1 of 4 files indexed: a.md"]);
});

test("after a failed comparison the next question tries again", async () => {
	const { ensure, runs } = open({ failure: new Error("cancelled") });
	await assert.rejects(ensure(), /cancelled/);
	await ensure();
	assert.equal(runs.length, 2);
});

test("after the worker has stopped the files are compared again", async () => {
	const { ensure, readiness, runs } = open();
	await ensure();
	readiness.forget();
	await ensure();
	assert.equal(runs.length, 2);
});

for (const code of ["READ_ONLY", "BUSY"] as const)
	test(`an index that cannot be written here (${code}) is searched as it is`, async () => {
		const { ensure, runs } = open({ failure: new Failure(code, "not from here") });
		await ensure();
		assert.deepEqual(runs, [false]);
		const { readiness } = open({ failure: new Failure(code, "not from here") });
		const { readiness: asked } = open({ failure: new Failure(code, "not from here") });
		const { notices } = await asked.begin(() => undefined, never, "Who?");
		assert.match(notices.join(), code === "BUSY" ? /^Another program keeps this index/ : /^not from here$/);
		const writing = readiness.index({ rebuild: false }, () => undefined, never);
		await assert.rejects(writing, { code });
	});

test("those who show the state of the index hear how far a run is, and what there is after it", async () => {
	const { ensure, watch, seen } = open();
	await ensure();
	assert.deepEqual(seen[0], { done: 0, total: 0, found: 0, current: "" }, "before the worker says anything");
	assert.deepEqual(seen[1], { done: 1, total: 4, found: 0, current: "a.md" });
	assert.deepEqual(watch.current, { isPaused: false, contents: report.contents });
});

test("where there is nothing to read, a question is answered with what was skipped", async () => {
	const { ensure, readiness } = open({ contents: EMPTY });
	await ensure();
	const told = "This folder has no files that Copilot-LD can read (3 skipped: .png).";
	assert.equal(await readiness.emptiness(never), told);
	const { ensure: ensureSome, readiness: some } = open();
	await ensureSome();
	assert.equal(await some.emptiness(never), undefined);
});

test("of many files the chat gets a line at the beginning and one halfway", () => {
	const lines: string[] = [];
	const tell = createMilestones((line) => lines.push(line));
	tell();
	tell({ done: 0, total: 0, found: 0, current: "" });
	for (let done = 0; done < 13_000; done++) tell({ done, total: 13_000, found: 0, current: `${done}.md` });
	assert.deepEqual(lines, [
		"Comparing the index with the files",
		"Indexing 13,000 files. The status bar shows the progress; if you stop, what is done is kept.",
		"6,500 of 13,000 files indexed",
	]);
});

test("of a few files the chat says nothing", () => {
	const lines: string[] = [];
	const tell = createMilestones((line) => lines.push(line));
	for (let done = 9900; done < 10_000; done++)
		tell({ done: done + 1, total: 10_000, found: 0, current: "a.md" });
	assert.deepEqual(lines, []);
});

function openBig() {
	const run = Promise.withResolvers<IndexReport>();
	const signals: AbortSignal[] = [];
	let clock = 0;
	let tell: (progress: IndexProgress) => void = () => undefined;
	const readiness = createReadiness(
		async (_options, onProgress, signal) => {
			tell = onProgress;
			signals.push(signal);
			signal.addEventListener("abort", () => run.reject(signal.reason));
			return run.promise;
		},
		() => clock,
	);
	const read = (done: number, { found = done, total = 13_000, after = 0 } = {}) => {
		clock += after;
		tell({ done, total, found, current: `${done}.md` });
	};
	const wait = (ms: number) => {
		clock += ms;
	};
	return { readiness, run, read, wait, isStopped: () => signals.some(({ aborted }) => aborted) };
}

test("a question in a big folder is answered after a moment from what there is, and the reading goes on", async () => {
	const { readiness, read, run, isStopped } = openBig();
	const stop = new AbortController();
	const heard: unknown[] = [];
	const begun = readiness.begin((progress) => heard.push(progress), stop.signal);
	read(100);
	read(900, { found: 0, after: 1500 });
	read(1000);
	read(1001);
	assert.equal((await begun).unfinished?.done, 1000);
	stop.abort();
	read(1002);
	assert.equal(heard.length, 5, "nobody listens to a turn that goes on to answer");
	assert.equal(isStopped(), false);
	const next = readiness.begin(() => undefined, never);
	read(1003);
	assert.equal((await next).unfinished?.done, 1003);
	run.resolve(report);
	assert.deepEqual(await readiness.begin(() => undefined, never), { notices: [] });
});

for (const [name, found, moment] of [
	["three and a half seconds while some are found", 5, 3500],
	["ten while none is", 0, 10_000],
] as const)
	test(`a question waits for a few files that take long, but only ${name}`, async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const { readiness, read, wait } = openBig();
		const begun = readiness.begin(() => undefined, never);
		read(5, { found, total: 6 });
		let isOver = false;
		void begun.then(() => {
			isOver = true;
		});
		wait(moment - 1);
		t.mock.timers.tick(1000);
		await new Promise(setImmediate);
		assert.equal(isOver, false);
		wait(1);
		t.mock.timers.tick(1000);
		assert.equal((await begun).unfinished?.total, 6);
	});

test("a question waits a moment for the last few files, and stops the reading if it is stopped meanwhile", async () => {
	const { readiness, read, isStopped } = openBig();
	const stop = new AbortController();
	const begun = readiness.begin(() => undefined, stop.signal);
	read(12_970, { after: 3_400 });
	stop.abort(new Error("stopped"));
	await assert.rejects(begun, /stopped/);
	assert.equal(isStopped(), true);
});

test("whoever asks first says which files are read first, whether it waits for all of them or not", async () => {
	const words = tellingWords("Who lights the lamp of Skagen, and when?");
	const first = { uris: ["file:///kb/open.md"], words };
	assert.deepEqual(first.words, ["lights", "lamp", "skagen"]);
	const asked: unknown[] = [];
	const open = () =>
		createReadiness(async (options) => {
			asked.push(options);
			return report;
		});
	await open().ensure(() => undefined, never, first);
	await open().begin(() => undefined, never, first);
	assert.deepEqual(asked, Array(2).fill({ rebuild: false, first }));
});
