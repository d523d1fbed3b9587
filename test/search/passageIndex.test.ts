import assert from "node:assert/strict";
import { test } from "node:test";
import { createPassageIndex, emptyParts, type PassageIndex } from "../../src/search/passageIndex.ts";

const ENGLISH = [
	"The keepers light the lamps of Gannet Rock.",
	"A die cast is kept in the shed with the ropes.",
];
const GERMAN = ["Die Wärter von Gannet Rock zünden die Lampen an.", "Im Schuppen sind die Häuser der Möwen."];

/** Each text is a document; the documents are shown. */
function indexOf(texts: readonly string[]): PassageIndex {
	const index = createPassageIndex(emptyParts(0), { base: 0, uriOf: String });
	for (const [revision, text] of texts.entries()) {
		const passage = { title: "", text, lines: { start: 1, end: 1 } };
		index.add({ revision, ordinal: 0, passage, types: [], vector: new Float32Array() });
		index.documents.show(revision);
	}
	return index;
}

function ask(index: PassageIndex, query: string) {
	return index.matchText(query, { limit: 10 }).matches.map(({ row, isForeign }) => [row, isForeign === true]);
}

test("a word is found in every form that its language gives it", () => {
	const index = indexOf([...ENGLISH, ...GERMAN]);
	assert.deepEqual(ask(index, "Haus"), [[3, false]]);
	assert.deepEqual(ask(index, "Wo ist ein großes Haus?"), [[3, false]]);
	assert.deepEqual(ask(index, "lighting"), [[0, false]]);
});

test("a passage that is clearly in another language than the question is set apart", () => {
	const index = indexOf([...ENGLISH, ...GERMAN]);
	assert.deepEqual(ask(index, "Wer ist der Wärter von Gannet Rock?").toSorted(), [
		[0, true],
		[2, false],
	]);
	assert.deepEqual(
		ask(index, "Gannet Rock").map(([, isForeign]) => isForeign),
		[false, false],
	);
});

test("what is grammar in the question's language finds nothing in another one", () => {
	const index = indexOf(ENGLISH);
	assert.deepEqual(ask(index, "Wo sind die Möwen und die Seile?"), []);
	assert.deepEqual(ask(index, "die cast"), [[1, false]]);
});

test("where languages are mixed, a phrase is found in each", () => {
	const index = indexOf([...ENGLISH, ...GERMAN]);
	assert.deepEqual(index.rowsWithAll("zünden die Lampen", {}), [2]);
	assert.deepEqual(index.rowsWithAll("light the lamps", {}), [0]);
	assert.deepEqual(index.rowsWithAll("Gannet Rock", {}).toSorted(), [0, 2]);
});

test("one passage in another language leaves the ranks of the others as they were", () => {
	const queries = ["Who keeps the lamps?", "ropes in the shed", "the light of Gannet Rock"];
	const [before, after] = [indexOf(ENGLISH), indexOf([...ENGLISH, ...GERMAN])];
	for (const query of queries) {
		const own = ask(after, query).filter(([row]) => Number(row) < ENGLISH.length);
		assert.deepEqual(own, ask(before, query));
	}
});
