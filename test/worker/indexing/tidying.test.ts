import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connect } from "@lancedb/lancedb";
import type { Store } from "../../../src/store/port/store.ts";
import { createTidying } from "../../../src/worker/indexing/indexer.ts";
import { sampleDocument } from "../../store/sampleDocument.ts";
import { openTemporary } from "../../store/temporaryStore.ts";

const REST_MS = 5_000;
const GRACE_MS = 10_000;

function open(t: TestContext, tidy: () => Promise<number | undefined>) {
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
	const { tidying, pass } = open(t, async () => left.shift());
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
	const { tidying, pass } = open(t, async () => {
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
	const { tidying, pass } = open(t, () => store.optimize());
	tidying.changed();
	let times = await pass(REST_MS);
	for (let before = 0; before !== times; times = await pass(GRACE_MS)) before = times;
	assert.equal(times, 2);
}
