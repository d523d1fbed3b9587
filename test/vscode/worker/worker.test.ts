import assert from "node:assert/strict";
import { afterEach, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { LogOutputChannel } from "vscode";
import { Failure } from "../../../src/base/failure.ts";
import type { IndexReport, IndexStatus, Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import { createReadiness, tellingWords } from "../../../src/protocol/readiness.ts";
import { createMilestones } from "../../../src/vscode/chat/answerTurn.ts";
import { createIdentity } from "../../../src/vscode/identity.ts";
import * as texts from "../../../src/vscode/worker/indexReport.ts";
import { progressText } from "../../../src/vscode/worker/indexReport.ts";
import { createFolderReadiness, createIndexWatch } from "../../../src/vscode/worker/readiness.ts";
import { authentication, EventEmitter, workspace } from "../../support/fakeVscode.ts";

const never = new AbortController().signal;
const ignore = () => undefined;
const NONE = { documents: 0, passages: 0, resources: 0, quads: 0, failed: [], flawed: 0 };
const EMPTY = { ...NONE, skipped: { "no reader for .png files": 3 } };
const report: IndexReport = {
	contents: { ...EMPTY, documents: 1, passages: 2 },
	...{ indexed: 1, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 2, durationMs: 3 },
};

afterEach(() => {
	workspace.workspaceFolders = undefined;
});

/** If a failure is given, the first run fails with it. */
function open({ failure = undefined as Error | undefined, contents = report.contents } = {}) {
	workspace.workspaceFolders = [{ uri: { scheme: "file", fsPath: "/kb" }, name: "kb" }];
	const runs: boolean[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const knowledge: Knowledge = {
		...{ search: unasked, read: unasked },
		status: async () => ({ state: "ready", ...contents }) as IndexStatus,
		index: async ({ rebuild }, onProgress) => {
			onProgress({ done: 1, total: 4, found: 0, current: "a.md" });
			if (runs.push(rebuild) === 1 && failure) throw failure;
			return { ...report, contents };
		},
	};
	const { event: onDidChangeIndex } = new EventEmitter<void>();
	const watch = createIndexWatch({ knowledge, onDidChangeIndex });
	const readiness = createFolderReadiness(knowledge, watch);
	const said: string[] = [];
	const ensure = () => readiness.ensure((progress) => said.push(progressText(progress)), never);
	return { readiness, runs, said, ensure, watch };
}

test("the first question updates the index and reports progress; the next question does not wait", async () => {
	const { ensure, runs, said, watch } = open();
	const seen: unknown[] = [];
	watch.onDidChange(({ progress }) => seen.push(progress));
	await ensure();
	await ensure();
	assert.deepEqual(runs, [false]);
	assert.deepEqual(said, ["Comparing the index with the files", "1 of 4 files indexed: a.md"]);
	assert.deepEqual(seen[0], { done: 0, total: 0, found: 0, current: "" }, "before the worker's first report");
	assert.deepEqual(seen[1], { done: 1, total: 4, found: 0, current: "a.md" });
	assert.deepEqual(watch.current, { isPaused: false, progress: undefined, contents: report.contents });
});

test("files are compared again after a failure or a stop of the worker; a comparison without a folder is an error", async () => {
	const { ensure, readiness, runs } = open({ failure: new Error("cancelled") });
	await assert.rejects(ensure(), /cancelled/);
	await ensure();
	readiness.forget();
	await ensure();
	assert.equal(runs.length, 3);
	workspace.workspaceFolders = undefined;
	await assert.rejects(ensure(), { code: "NO_FOLDER", message: /^Open a folder first/ });
});

for (const [code, notice] of [
	["READ_ONLY", /^not from here$/],
	["BUSY", /^Another program keeps this index/],
] as const)
	test(`an index that is not writable (${code}) is searched with a notice; an explicit update fails`, async () => {
		const failure = new Failure(code, "not from here");
		const { notices } = await open({ failure }).readiness.begin(ignore, never, "Who?");
		assert.match(notices.join(), notice);
		await assert.rejects(open({ failure }).readiness.index({ rebuild: false }, ignore, never), { code });
	});

test("in a folder without readable files, a question is answered with the skipped types", async () => {
	const emptiness = async (contents: typeof report.contents) => {
		const { ensure, readiness } = open({ contents });
		await ensure();
		return readiness.emptiness(never);
	};
	const told = "This folder has no files that Copilot-LD can read (3 skipped: .png).";
	assert.deepEqual([await emptiness(EMPTY), await emptiness(report.contents)], [told, undefined]);
});

test("the chat reports the start of indexing many files, but nothing about a few files", () => {
	const told = (from: number, total: number) => {
		const lines: string[] = [];
		const tell = createMilestones((line) => lines.push(line));
		tell();
		tell({ done: 0, total: 0, found: 0, current: "" });
		for (let done = from; done <= total; done++) tell({ done, total, found: 0, current: `${done}.md` });
		return lines;
	};
	assert.deepEqual(told(0, 13_000), [
		"Comparing the index with the files",
		"Indexing 13,000 files. The status bar shows the progress; if you stop, what is done is kept.",
	]);
	assert.deepEqual(told(9901, 10_000), ["Comparing the index with the files"]);
});

function openBig() {
	const run = Promise.withResolvers<IndexReport>();
	const signals: AbortSignal[] = [];
	let clock = 0;
	let tell: Parameters<Knowledge["index"]>[1] = ignore;
	const index: Knowledge["index"] = async (_options, onProgress, signal) => {
		tell = onProgress;
		signals.push(signal);
		signal.addEventListener("abort", () => run.reject(signal.reason));
		return run.promise;
	};
	const wait = (ms: number) => {
		clock += ms;
	};
	const read = (done: number, { found = done, total = 13_000, after = 0 } = {}) => {
		wait(after);
		tell({ done, total, found, current: `${done}.md` });
	};
	const readiness = createReadiness(index, () => clock);
	return { readiness, run, read, wait, isStopped: () => signals.some(({ aborted }) => aborted) };
}

test("a question in a big folder is answered from the partial index, while indexing continues", async () => {
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
	assert.deepEqual([heard.length, isStopped()], [5, false], "a turn that answers gets no more progress");
	const next = readiness.begin(ignore, never);
	read(1003);
	assert.equal((await next).unfinished?.done, 1003);
	run.resolve(report);
	assert.deepEqual(await readiness.begin(ignore, never), { notices: [] });
});

for (const [name, found, moment] of [
	["3.5 seconds if some files are searchable", 5, 3500],
	["10 seconds if no file is searchable", 0, 10_000],
] as const)
	test(`a question waits for a few slow files, at most ${name}`, async (t) => {
		t.mock.timers.enable({ apis: ["setInterval"] });
		const { readiness, read, wait } = openBig();
		const begun = readiness.begin(ignore, never);
		read(5, { found, total: 6 });
		wait(moment - 1);
		t.mock.timers.tick(1000);
		assert.equal(await Promise.race([begun, setImmediate("it waits")]), "it waits");
		wait(1);
		t.mock.timers.tick(1000);
		assert.equal((await begun).unfinished?.total, 6);
	});

test("a question waits briefly for the last few files; canceling the question stops the indexing", async () => {
	const { readiness, read, isStopped } = openBig();
	const stop = new AbortController();
	const begun = readiness.begin(ignore, stop.signal);
	read(12_970, { after: 3_400 });
	stop.abort(new Error("stopped"));
	await assert.rejects(begun, /stopped/);
	assert.equal(isStopped(), true);
});

test("`ensure` and `begin` both name the files to index first: open files and files with the question's words", async () => {
	const words = tellingWords("Who lights the lamp of Skagen, and when?");
	assert.deepEqual(words, ["lights", "lamp", "skagen"]);
	const first = { uris: ["file:///kb/open.md"], words };
	for (const way of ["ensure", "begin"] as const) {
		const asked: unknown[] = [];
		const readiness = createReadiness(async (options) => {
			asked.push(options);
			return report;
		});
		await readiness[way](ignore, never, first);
		assert.deepEqual(asked, [{ rebuild: false, first }]);
	}
});

test("if another program updates the index, the message names the program and the size of the index", async () => {
	const status = async () => ({ documents: 1, passages: 1234 }) as IndexStatus;
	const kept = "The MCP server of Claude (process 7) keeps this index up to date.";
	const text = await texts.keptElsewhereText(new Failure("BUSY", kept), status);
	assert.equal(text, `${kept} The index has 1 file, 1,234 passages.`);
	const other = new Failure("READ_ONLY", "Not from here.");
	await assert.rejects(texts.keptElsewhereText(other, status), other);
});

const RUN = { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 1234 };
const ALL = { documents: 17, passages: 142, resources: 0, quads: 0, skipped: {}, failed: [], flawed: 0 };
const UP_TO_DATE = "The index is up to date: 17 files, 142 passages.";
const UNREADABLE = "This folder has no files that Copilot-LD can read";
const EDITED = "1 file indexed, 2 removed in 1.2 s. The index has 1,300 files, 1 passage.";

test("the report on an indexing run gives the changes or the index's size and skipped files", () => {
	for (const [run, contents, told] of [
		[{ unchanged: 17 }, {}, UP_TO_DATE],
		[{ indexed: 1, removed: 2 }, { documents: 1300, passages: 1 }, EDITED],
		[{}, { failed: [{ path: "a", reason: "b" }] }, `${UP_TO_DATE} 1 file could not be read.`],
		[{}, { ...NONE, skipped: { "no reader for .png files": 3 } }, `${UNREADABLE} (3 skipped: .png).`],
		[{}, NONE, `${UNREADABLE}.`],
	] satisfies [Partial<IndexReport>, Partial<IndexReport["contents"]>, string][])
		assert.equal(texts.reportText({ ...RUN, ...run, contents: { ...ALL, ...contents } }), told);
});

const STATUS: IndexStatus = {
	...{ ...ALL, state: "ready", described: 0, bytesOnDisk: 2_000_000, notices: [] },
	...{ embedder: "static-embedding-2-124965x256", legs: ["text", "vector"], engine: "lancedb" },
};

test("/status lists the search engine, model, storage, graph and engine for agents, without credentials", (t) => {
	const { getConfiguration } = workspace;
	t.after(() => Object.assign(workspace, { getConfiguration }));
	const assertRows = (chosen: Readonly<Record<string, unknown>>, rows: Readonly<Record<string, RegExp>>) => {
		const get = (name: string, fallback: unknown) => chosen[name] ?? fallback;
		workspace.getConfiguration = () => ({ get, inspect: () => undefined });
		const document = texts.statusDocument(STATUS);
		for (const [name, value] of Object.entries(rows))
			assert.match(document.split(`\n| ${name} | `)[1]?.split(" |\n")[0] ?? "", value, name);
		assert.doesNotMatch(document, /secret/);
	};
	const own = { Searched: /LanceDB/, "Search model": /^built in/, "Stored in": /VS Code's storage/ };
	assertRows({}, { ...own, "Graph queries": /in the files/, "Agent chains run on": /Copilot CLI if/ });
	const chosen = {
		"storage.uri": "s3://team:secret@bucket/index?key=secret",
		"graph.endpoint": "https://me:secret@store.example/sparql?token=secret",
		"agents.engine": "model",
	};
	const others = { "Stored in": /bucket\/index/, "Graph queries": /store\.example\/sparql/ };
	assertRows(chosen, { ...others, "Agent chains run on": /^language model of VS Code/ });
});

const log = { warn: (_text: string) => undefined } as unknown as LogOutputChannel;
const BERIT = { account: { id: "42", label: "berit" }, accessToken: "secret" };

function play(t: TestContext, agrees: boolean, answer: () => Promise<unknown>) {
	const asked: unknown[][] = [];
	t.mock.method(workspace, "getConfiguration", () => ({ get: () => agrees, inspect: () => undefined }));
	t.mock.method(authentication, "getSession", (...args: unknown[]) => {
		asked.push(args);
		return answer();
	});
	return asked;
}

test("the GitHub account is read silently if the user has agreed, and changes of the account are reported", async (t) => {
	const identity = createIdentity(log);
	const unasked = play(t, false, async () => BERIT);
	assert.deepEqual([await identity.look(), identity.person(), unasked], [false, undefined, []]);
	const asked = play(t, true, async () => BERIT);
	assert.deepEqual([await identity.look(), await identity.look()], [true, false]);
	assert.deepEqual(identity.person(), { source: "github", id: "42", label: "berit" });
	assert.deepEqual(asked[0], ["github", [], { silent: true }]);
	play(t, true, async () => undefined);
	assert.deepEqual([await identity.look(), identity.person()], [true, undefined]);
	play(t, true, () => Promise.reject(new Error("Timed out waiting for the provider")));
	const unknown = createIdentity(log);
	assert.deepEqual([await unknown.look(), unknown.person()], [false, undefined]);
});
