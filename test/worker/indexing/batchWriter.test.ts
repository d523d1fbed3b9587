import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredDocument } from "../../../src/store/port/store.ts";
import { createBatchWriter } from "../../../src/worker/indexing/batchWriter.ts";
import { sampleDocument } from "../../store/sampleDocument.ts";
import { assertMapped } from "../../support/assertMapped.ts";

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

test("the first batches are small, so that something is found soon, and each is twice the one before", async () => {
	const { writer, writes } = makeWriter();
	for (let count = 1; count <= 47; count++) {
		await writer.add(documentOf(125));
		writes.at(-1)?.end();
	}
	assertMapped(writes, ({ names }) => names.length, [1, 2, 4, 8, 16, 16]);
});

test("while one batch is written the next is gathered, and no third one", async () => {
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

for (const [what, document] of [
	["many passages", documentOf(9000)],
	["long passages", documentOf(200, 100_000)],
	["many statements", { ...documentOf(1), quads: Array.from({ length: 90_000 }, () => ({})) }],
] as const)
	test(`nothing more is taken before a document with ${what} is written`, async () => {
		const { writer, writes } = makeWriter();
		const added = writer.add(document as StoredDocument);
		assert.ok(!(await isOver(added)) && writes.length === 1);
		writes[0]?.end();
		assert.ok(await isOver(added));
	});

test("whoever else wants it written meanwhile waits for the batch that is: two are never written at once", async () => {
	const { writer, writes } = makeWriter();
	await writer.add(documentOf(125));
	const flushes = [writer.flush(), writer.flush(), writer.add(documentOf(250)), writer.flush()];
	assert.ok(!(await isOver(Promise.all(flushes))));
	assert.equal(writes.length, 1);
	writes[0]?.end();
	await new Promise(setImmediate);
	assertMapped(writes, ({ names }) => names.length, [1, 1]);
	writes[1]?.end();
	assert.ok(await isOver(Promise.all(flushes)));
});
