import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { connect } from "@lancedb/lancedb";
import { Failure } from "../../../src/base/failure.ts";
import { documentsOf, type Store, type StoredDocument } from "../../../src/store/port/store.ts";
import { createChangeQueue } from "../../../src/worker/indexing/changeQueue.ts";
import { createTidying, type Indexer, shareRun } from "../../../src/worker/indexing/indexer.ts";
import { planIndexing } from "../../../src/worker/indexing/indexPlan.ts";
import { createBatchWriter } from "../../../src/worker/indexing/indexRun.ts";
import { createReadAhead } from "../../../src/worker/indexing/readAhead.ts";
import { sampleDocument } from "../../store/sampleDocument.ts";
import { openTemporary } from "../../store/temporaryStore.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { never } from "../workspace.ts";

const NAMES = "archive.pdf big.md bill.docx gannet.md keeper.md lamp.md lamps/wick.md manual.pdf open.pdf";
const LARGE: Record<string, number> = { archive: 2e6, big: 9e5, manual: 9e6, open: 5e6 };

test("open files are read first, then files named like the question; in each group, cheap files first", async () => {
	const files = NAMES.split(" ").map((path) => {
		const size = LARGE[path.replace(/\..*/, "")] ?? 10;
		return { uri: `file:///w/${path}`, path: `/w/${path}`, size, modifiedMs: 0 };
	});
	const order = (first?: { uris: string[]; words: string[] }) => {
		const options = { force: false, ...(first && { first }) };
		const { changed } = planIndexing(files, documentsOf([]), options, (uri) => uri.slice(10));
		return changed.map(({ path }) => path.slice(3)).join(" ");
	};
	const cheap = "gannet.md keeper.md lamp.md lamps/wick.md big.md bill.docx";
	assert.equal(order(), `${cheap} manual.pdf open.pdf archive.pdf`);
	assert.equal(
		order({ uris: ["file:///w/open.pdf"], words: ["lamp", "archive"] }),
		"open.pdf lamp.md lamps/wick.md archive.pdf gannet.md keeper.md big.md bill.docx manual.pdf",
	);
});

/** A function whose calls end when the test says so. */
function holdCalls<Input, Result>() {
	const calls: (PromiseWithResolvers<Result> & { readonly input: Input })[] = [];
	const call = (input: Input) => {
		const held = { ...Promise.withResolvers<Result>(), input };
		calls.push(held);
		return held.promise;
	};
	return { calls, call };
}

test("`next` throws the error of a step, and `settle` waits for started steps", async () => {
	const { calls, call } = holdCalls<string, string>();
	const ahead = createReadAhead(["a", "b", "c"], call, { most: 3, weightOf: () => 1, room: 99 });
	const first = ahead.next();
	calls[0]?.resolve("A");
	assert.equal((await first).result, "A");
	calls[1]?.reject(new Error("broken"));
	await assert.rejects(ahead.next(), /broken/);
	const settling = ahead.settle();
	assert.equal(await isOver(settling), false);
	calls[2]?.resolve("C");
	await settling;
});

test("started items fit into the room until their release, and a larger item runs alone", async () => {
	const weights = [5, 5, 1, 30, 4, 2, 2, 2, 9, 1];
	const { calls, call } = holdCalls<number, number>();
	const ahead = createReadAhead(weights, call, { most: 4, weightOf: (weight) => weight, room: 10 });
	const begun: string[] = [];
	for (const [at, weight] of weights.entries()) {
		const result = ahead.next();
		const held = weights.slice(at, calls.length);
		begun.push(held.join("+"));
		assert.ok(held.length === 1 || held.reduce((sum, each) => sum + each, 0) <= 10);
		calls[at]?.resolve(weight);
		assert.equal((await result).result, weight);
	}
	assert.deepEqual(begun, ["5+5", "5+1", "1", "30", "4+2+2+2", "2+2+2", "2+2", "2", "9+1", "1"]);
});

async function isOver(begun: Promise<unknown>): Promise<boolean> {
	return Promise.race([begun.then(() => true), settled().then(() => false)]);
}

function documentOf(passages: number, characters = 10): StoredDocument {
	return sampleDocument("a.md", Array(passages).fill("x".repeat(characters)));
}

test("a writer gathers only the next batch while a batch is written", async () => {
	const { calls: writes, call } = holdCalls<readonly StoredDocument[], void>();
	const writer = createBatchWriter(call);
	for (const passages of [125, 250, 500, 1000]) {
		await writer.add(documentOf(passages));
		writes.pop()?.resolve();
	}
	assert.ok(await isOver(writer.add(documentOf(2000))));
	assert.ok(await isOver(writer.add(documentOf(1000))));
	const third = writer.add(documentOf(1000));
	assert.ok(!(await isOver(third)));
	assert.equal(writes.length, 1);
	writes[0]?.resolve();
	assert.ok(await isOver(third));
	assertMapped(writes, ({ input }) => input.length, [1, 2]);
});

test("a writer accepts no document until a large document is written", async () => {
	const quads = Array.from({ length: 90_000 }, () => ({}));
	for (const document of [documentOf(9000), documentOf(200, 100_000), { ...documentOf(1), quads }]) {
		const { calls: writes, call } = holdCalls<readonly StoredDocument[], void>();
		const writer = createBatchWriter(call);
		const added = writer.add(document as StoredDocument);
		assert.ok(!(await isOver(added)) && writes.length === 1);
		writes[0]?.resolve();
		assert.ok(await isOver(added));
	}
});

test("a canceled caller leaves at once, and the run continues for other callers", async () => {
	const { promise, resolve } = Promise.withResolvers<string>();
	const given: AbortSignal[] = [];
	const run = shareRun<number, string>((_report, signal) => {
		given.push(signal);
		return promise;
	});
	const controller = new AbortController();
	const leaving = run.join(() => undefined, controller.signal);
	const staying = run.join(() => undefined, never);
	controller.abort(new Error("enough"));
	await assert.rejects(leaving, /enough/);
	assertMapped(given, ({ aborted }) => aborted, [false]);
	resolve("done");
	assert.equal(await staying, "done");
});

const GATHER_MS = 50;
const STANDBY_MS = 5_000;

function open(t: TestContext) {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const runs: (readonly string[] | "all")[] = [];
	const answers: Error[] = [];
	const errors: unknown[] = [];
	const run = async (paths: readonly string[] | "all") => {
		runs.push(paths);
		const failure = answers.shift();
		if (failure) throw failure;
		return { indexed: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 0, durationMs: 0 };
	};
	const indexer: Pick<Indexer, "sync" | "syncPaths"> = { sync: () => run("all"), syncPaths: run };
	const queue = createChangeQueue(indexer, (thrown) => errors.push(thrown));
	t.after(queue.close);
	const pass = async (ms: number) => {
		t.mock.timers.tick(ms);
		await settled();
	};
	return { queue, runs, answers, errors, pass };
}

test("concurrent changes are indexed in a single run; changed rules or many changes compare all files", async (t) => {
	const { queue, runs, pass } = open(t);
	queue.add(["/kb/a.md", "/kb/b.md"]);
	queue.add(["/kb/a.md"]);
	await pass(GATHER_MS);
	queue.add(["/kb/.gitignore"]);
	await pass(GATHER_MS);
	queue.add(Array.from({ length: 201 }, (_, at) => `/kb/${at}.md`));
	await pass(GATHER_MS);
	assert.deepEqual(runs, [["/kb/a.md", "/kb/b.md"], "all", "all"]);
});

test("a queue reports bugs, retries while the index is busy, and stops retries on closing", async (t) => {
	const { queue, runs, answers, errors, pass } = open(t);
	const [broken, busy] = [new Error("broken"), new Failure("BUSY", "Busy.")];
	answers.push(broken, busy);
	queue.add(["/kb/a.md"]);
	await pass(GATHER_MS);
	await pass(STANDBY_MS);
	assert.deepEqual([runs.length, errors], [1, [broken]]);
	queue.add(["/kb/b.md"]);
	await pass(GATHER_MS);
	queue.close();
	await pass(STANDBY_MS);
	assert.equal(runs.length, 2);
});

const REST_MS = 5_000;
const GRACE_MS = 10_000;

function openTidying(t: TestContext, tidy: () => Promise<number | undefined>) {
	t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
	let last = Promise.resolve();
	const counted = t.mock.fn(tidy);
	const whenFree = (work: () => Promise<void>) => {
		last = work();
		return last;
	};
	const tidying = createTidying(counted, whenFree, assert.ifError);
	t.after(tidying.close);
	const pass = async (ms: number) => {
		t.mock.timers.tick(ms);
		await last;
		return counted.mock.callCount();
	};
	return { tidying, pass };
}

test("tidying starts some time after the last change, and again when old files can be deleted", async (t) => {
	const left = [GRACE_MS, undefined];
	const { tidying, pass } = openTidying(t, async () => left.shift());
	tidying.changed();
	assert.equal(await pass(REST_MS - 1), 0);
	tidying.changed();
	assert.equal(await pass(REST_MS - 1), 0);
	assert.equal(await pass(1), 1);
	assert.equal(await pass(GRACE_MS - 1), 1);
	assert.equal(await pass(1), 2);
	assert.equal(await pass(1_000_000), 2);
});

test("tidying starts at once after many changes, and later for changes during tidying", async (t) => {
	const { tidying, pass } = openTidying(t, async () => {
		tidying.changed();
		return 1;
	});
	for (let change = 0; change < 50; change++) tidying.changed();
	assert.equal(await pass(0), 1);
	assert.equal(await pass(REST_MS - 1), 1);
	assert.equal(await pass(1), 2);
	tidying.soon();
	assert.equal(await pass(0), 3);
});

async function edit(store: Store, round: number): Promise<void> {
	const texts = Array.from({ length: 100 }, (_, line) => `edition ${round} of line ${line}, abc `.repeat(20));
	await store.replace([sampleDocument(`${round % 20}.md`, texts)]);
}

test("tidying reduces an index with many edits to about the size of a fresh index", async (t) => {
	const { folder, store } = await openTemporary(t);
	for (let round = 0; round < 20; round++) await edit(store, round);
	await untilRested(t, store);
	const fresh = await store.bytesOnDisk();
	for (let round = 20; round < 60; round++) await edit(store, round);
	const untidy = await store.bytesOnDisk();
	await untilRested(t, store);
	const connection = await connect(folder);
	for (const name of ["documents", "passages"])
		assert.equal((await (await connection.openTable(name)).listVersions()).length, 1);
	const rested = await store.bytesOnDisk();
	assert.ok(rested <= 1.5 * fresh, `${fresh} bytes became ${rested}`);
	assert.ok(untidy > 2 * rested, `the edits left ${untidy} bytes`);
});

/** Advances a fake clock until nothing is left to tidy. */
async function untilRested(t: TestContext, store: Store): Promise<void> {
	t.mock.timers.reset();
	const { tidying, pass } = openTidying(t, () => store.optimize());
	tidying.changed();
	let times = await pass(REST_MS);
	for (let before = 0; before !== times; times = await pass(GRACE_MS)) before = times;
	assert.equal(times, 2);
}
