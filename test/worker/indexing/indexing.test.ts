import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { Failure } from "../../../src/base/failure.ts";
import { documentsOf, type StoredDocument } from "../../../src/store/port/store.ts";
import { createBatchWriter } from "../../../src/worker/indexing/batchWriter.ts";
import { createChangeQueue } from "../../../src/worker/indexing/changeQueue.ts";
import { type Indexer, shareRun } from "../../../src/worker/indexing/indexer.ts";
import { planIndexing } from "../../../src/worker/indexing/indexPlan.ts";
import { createReadAhead } from "../../../src/worker/indexing/readAhead.ts";
import { sampleDocument } from "../../store/sampleDocument.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const NAMES = "archive.pdf big.md bill.docx gannet.md keeper.md lamp.md lamps/wick.md manual.pdf open.pdf";
const LARGE = new Map(
	Object.entries({ archive: 2_000_000, big: 900_000, manual: 9_000_000, open: 5_000_000 }),
);

test("open files come first, then files named like the question; in each group, cheap files first", async () => {
	const files = NAMES.split(" ").map((path) => {
		const size = LARGE.get(path.replace(/\..*/, "")) ?? 10;
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

function makeSteps() {
	const open = new Map<string, PromiseWithResolvers<string>>();
	const step = (item: string) => {
		const resolvers = Promise.withResolvers<string>();
		open.set(item, resolvers);
		return resolvers.promise;
	};
	return { open, step };
}

const resultOf = ({ result }: { readonly result: string }) => result;

test("`next` throws a step's error; `settle` waits for started steps", async () => {
	const { open, step } = makeSteps();
	const ahead = createReadAhead(["a", "b", "c"], step, { most: 3, weightOf: () => 1, room: 99 });
	const first = ahead.next();
	open.get("a")?.resolve("A");
	assert.equal(resultOf(await first), "A");
	open.get("b")?.reject(new Error("broken"));
	await assert.rejects(ahead.next(), /broken/);
	let isSettled = false;
	const settled = ahead.settle().then(() => {
		isSettled = true;
	});
	await Promise.resolve();
	assert.equal(isSettled, false);
	open.get("c")?.resolve("C");
	await settled;
});

test("started items fit into the room until they are released; a larger item runs alone", async () => {
	const weights = [5, 5, 1, 30, 4, 2, 2, 2, 9, 1];
	const items = weights.map((_weight, at) => String(at));
	const weightOf = (item: string) => weights[Number(item)] ?? 0;
	const { open, step } = makeSteps();
	const ahead = createReadAhead(items, step, { most: 4, weightOf, room: 10 });
	const begun: string[] = [];
	for (const item of items) {
		const result = ahead.next();
		const [from, to] = [Number(item), open.size];
		const held = weights.slice(from, to);
		begun.push(held.join("+"));
		assert.ok(held.length === 1 || held.reduce((sum, weight) => sum + weight, 0) <= 10);
		open.get(item)?.resolve(item);
		assert.equal(resultOf(await result), item);
	}
	assert.deepEqual(begun, ["5+5", "5+1", "1", "30", "4+2+2+2", "2+2+2", "2+2", "2", "9+1", "1"]);
});

function makeWriter() {
	const writes: { readonly names: string[]; end(): void }[] = [];
	const writer = createBatchWriter((documents) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		writes.push({ names: documents.map(({ record }) => record.title), end: resolve });
		return promise;
	});
	return { writer, writes };
}

async function isOver(begun: Promise<unknown>): Promise<boolean> {
	let over = false;
	void begun.then(() => {
		over = true;
	});
	await new Promise(setImmediate);
	return over;
}

function documentOf(passages: number, characters = 10): StoredDocument {
	return sampleDocument("a.md", Array(passages).fill("x".repeat(characters)));
}

test("while one batch is written, only the next one is gathered", async () => {
	const { writer, writes } = makeWriter();
	for (const passages of [125, 250, 500, 1000]) {
		await writer.add(documentOf(passages));
		writes.pop()?.end();
	}
	assert.ok(await isOver(writer.add(documentOf(2000))));
	assert.ok(await isOver(writer.add(documentOf(1000))));
	const third = writer.add(documentOf(1000));
	assert.ok(!(await isOver(third)));
	assert.equal(writes.length, 1);
	writes[0]?.end();
	assert.ok(await isOver(third));
	assertMapped(writes, ({ names }) => names.length, [1, 2]);
});

test("no document is added before a large one is written", async () => {
	const quads = Array.from({ length: 90_000 }, () => ({}));
	for (const document of [documentOf(9000), documentOf(200, 100_000), { ...documentOf(1), quads }]) {
		const { writer, writes } = makeWriter();
		const added = writer.add(document as StoredDocument);
		assert.ok(!(await isOver(added)) && writes.length === 1);
		writes[0]?.end();
		assert.ok(await isOver(added));
	}
});

const never = new AbortController().signal;

test("a canceled caller leaves at once, and the work continues for the others", async () => {
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
	const syncPaths: Indexer["syncPaths"] = (paths) => run(paths);
	const indexer: Pick<Indexer, "sync" | "syncPaths"> = { sync: () => run("all"), syncPaths };
	const queue = createChangeQueue(indexer, (thrown) => errors.push(thrown));
	t.after(queue.close);
	const pass = async (ms: number) => {
		t.mock.timers.tick(ms);
		await settled();
	};
	return { queue, runs, answers, errors, pass };
}

test("concurrent changes are handled together; changed rules or many changes compare all files", async (t) => {
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

test("other failures are reported, and closing cancels retries", async (t) => {
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
