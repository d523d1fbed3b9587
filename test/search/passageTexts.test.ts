import assert from "node:assert/strict";
import { test } from "node:test";
import { createPassageTexts, type PassageTexts, type TextFile } from "../../src/search/passageTexts.ts";

const passages = Array.from({ length: 3000 }, (_, row) => ({
	title: `Größe ${row}`,
	text: "😀 word\n".repeat(1 + (row % 200)),
	lines: { start: row, end: row + 1 },
	...(row % 2 === 0 && { resource: `urn:${row}` }),
}));

function madeOf(some: typeof passages) {
	const texts = createPassageTexts();
	for (const passage of some) texts.add(passage);
	return texts;
}

test("passages are kept as they are, over many pieces of memory", () => {
	const texts = madeOf(passages);
	assert.ok(texts.parts().length > 1);
	for (const [row, passage] of passages.entries()) assert.deepEqual(texts.passageAt(row), passage);
	assert.equal(texts.passageAt(passages.length), undefined);
});

function storedIn(texts: PassageTexts, isReadable = () => true) {
	const { starts, lengths, sums, bytes } = texts;
	const all = Buffer.concat(texts.parts());
	const seen = { reads: 0, isClosed: false };
	const file: TextFile = {
		readNow: (start, length) => {
			seen.reads++;
			return isReadable() ? all.subarray(start, start + length) : Buffer.alloc(0);
		},
		fill: async (target, start) => isReadable() && all.copy(target, 0, start) === target.length,
		close: async () => {
			seen.isClosed = true;
		},
	};
	const arrays = { starts: starts.slice(), lengths: lengths.slice(), sums: sums.slice() };
	return { all, seen, stored: createPassageTexts({ ...arrays, bytes, file }) };
}

test("those in a file are read from there, and all of them at once where many are asked for", async () => {
	const { seen, stored } = storedIn(madeOf(passages));
	assert.deepEqual(stored.passageAt(2999), passages[2999]);
	assert.equal(seen.isClosed, false);
	for (const [row, passage] of passages.entries()) assert.deepEqual(stored.passageAt(row), passage);
	await stored.whole();
	const { reads } = seen;
	for (const [row, passage] of passages.entries()) assert.deepEqual(stored.passageAt(row), passage);
	assert.deepEqual({ ...seen }, { reads, isClosed: true });
});

test("others can be added to those in a file, which are the same bytes then", async () => {
	const texts = madeOf(passages);
	const { stored } = storedIn(texts);
	const other = { title: "new", text: "new", lines: { start: 1, end: 1 } };
	for (const some of [texts, stored]) {
		some.add(other);
		some.copy(texts, 7);
	}
	await stored.whole();
	assert.deepEqual(stored.parts(), texts.parts());
	assert.deepEqual(stored.passageAt(2999), passages[2999]);
	assert.deepEqual([stored.passageAt(3000), stored.passageAt(3001)], [other, passages[7]]);
});

test("one whose bytes have changed in the file is not kept, and its neighbours are", async () => {
	const texts = madeOf(passages);
	const { all, stored } = storedIn(texts);
	const place = (texts.starts[8] ?? 0) + 20;
	all[place] = (all[place] ?? 0) ^ 1;
	for (let round = 0; round < 2; round++) {
		assert.equal(stored.headAt(8), undefined);
		assert.equal(stored.passageAt(8), undefined);
		assert.deepEqual([stored.passageAt(7), stored.passageAt(9)], [passages[7], passages[9]]);
		await stored.whole();
	}
});

test("of a file that cannot be read any more, what was read is kept, and others can be added", async () => {
	let isReadable = true;
	const { seen, stored } = storedIn(madeOf(passages), () => isReadable);
	assert.deepEqual(stored.headAt(0), { resource: "urn:0" });
	isReadable = false;
	assert.equal(stored.passageAt(0), undefined);
	const other = { title: "new", text: "new", lines: { start: 1, end: 1 } };
	stored.add(other);
	await stored.whole();
	assert.equal(seen.isClosed, true);
	assert.deepEqual(
		[stored.passageAt(0), stored.passageAt(1), stored.passageAt(3000)],
		[undefined, undefined, other],
	);
});

test("what was not read before the file is left is not kept", async () => {
	const { seen, stored } = storedIn(madeOf(passages));
	assert.deepEqual(stored.passageAt(1), passages[1]);
	await stored.close();
	assert.equal(stored.passageAt(1), undefined);
	assert.equal(seen.isClosed, true);
	assert.equal(Buffer.concat(stored.parts()).length, stored.bytes);
});
