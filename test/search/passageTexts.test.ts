import assert from "node:assert/strict";
import { test } from "node:test";
import { createPassageTexts } from "../../src/search/passageTexts.ts";

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

test("a title or a name may have any letters, also those that end a line, and none", () => {
	const strange = [
		{ title: "a\nb 1 2 3\n", text: "\n4 5", lines: { start: 1, end: 2 }, resource: "urn:\n6 7\n" },
		{ title: "", text: "", lines: { start: 0, end: 0 }, resource: "" },
		{ title: "", text: "", lines: { start: 0, end: 0 } },
	];
	const texts = createPassageTexts();
	for (const passage of strange) texts.add(passage);
	assert.deepEqual(
		strange.map((_, row) => texts.passageAt(row)),
		strange,
	);
});

test("one that is larger than a piece is not kept, and its neighbours are", () => {
	const [small, large] = [
		passages.slice(0, 1),
		{ title: "", text: "x".repeat(2 ** 20), lines: { start: 1, end: 1 } },
	];
	const texts = madeOf([...small, large, ...small]);
	assert.deepEqual(
		[texts.passageAt(0), texts.passageAt(1), texts.passageAt(2)],
		[...small, undefined, ...small],
	);
});

test("their bytes fill others of the same size", () => {
	const texts = madeOf(passages);
	const copy = createPassageTexts(passages.length, texts.bytes);
	copy.starts.set(texts.starts);
	copy.lengths.set(texts.lengths);
	for (const [index, part] of texts.parts().entries()) copy.parts()[index]?.set(part);
	copy.copy(texts, 7);
	assert.deepEqual(copy.passageAt(2999), passages[2999]);
	assert.deepEqual(copy.passageAt(3000), passages[7]);
});
