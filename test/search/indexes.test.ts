import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compileKernels } from "../../scripts/compileKernels.ts";
import { rankByTerms } from "../../src/search/bm25.ts";
import { createDescriptorIndex } from "../../src/search/descriptorIndex.ts";
import { createDocumentRows } from "../../src/search/documentRows.ts";
import { createInvertedIndex, NO_POSTINGS } from "../../src/search/invertedIndex.ts";
import { createPassageIndex, type PassageIndex } from "../../src/search/passageIndex.ts";
import { createPassageTexts, type PassageTexts, type TextFile } from "../../src/search/passageTexts.ts";
import { createColumns, writeRow } from "../../src/search/rowColumns.ts";
import { emptyParts } from "../../src/search/snapshotFile.ts";
import { createVectorRows } from "../../src/search/vectorRows.ts";
import { vectorOf } from "../store/sampleDocument.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { createRandom } from "../support/random.ts";
import { times } from "../support/times.ts";

const ENGLISH = ["The keepers light the lamps of Gannet Rock.", "A die cast is in the shed with the ropes."];
const GERMAN = ["Die Wärter von Gannet Rock zünden die Lampen an.", "Im Schuppen sind die Häuser der Möwen."];

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

test("passages in another language than the question are marked and do not change the ranks of other passages", () => {
	const [before, after] = [indexOf(ENGLISH), indexOf([...ENGLISH, ...GERMAN])];
	assert.equal(ask(after, "Wer ist der Wärter von Gannet Rock?").toSorted().join(" "), "0,true 2,false");
	assertMapped(ask(after, "Gannet Rock"), ([, isForeign]) => isForeign, [false, false]);
	for (const query of ["Who keeps the lamps?", "ropes in the shed", "the light of Gannet Rock"]) {
		const own = ask(after, query).filter(([row]) => Number(row) < ENGLISH.length);
		assert.deepEqual(own, ask(before, query));
	}
});

const comesBefore = (row: number, other: number) => row < other;

/** Random fractions below 1. */
function createFractions(seed: number): () => number {
	const { below } = createRandom(seed);
	return () => below(1_000_000) / 1_000_000;
}

/** Passages of 3 to 62 words, some of which are as frequent as "the". */
function corpusOf(passages: number, random: () => number) {
	const words = createInvertedIndex(NO_POSTINGS);
	const columns = createColumns(0);
	const documents = createDocumentRows(columns);
	for (let row = 0; row < passages; row++) {
		const length = 3 + Math.floor(60 * random());
		const terms = times(length, () => `w${Math.floor(200 ** random())}`);
		words.add(row, terms);
		writeRow(columns, row, { owner: row, ordinal: 0, length, typeSet: 0 });
		documents.extend();
		if (random() < 0.9) documents.show(row);
	}
	return { words, columns, documents, scores: new Float32Array(0), comesBefore };
}

test("skipping frequent words changes neither the best passages nor their scores", () => {
	const random = createFractions(18);
	let shorter = 0;
	for (let round = 0; round < 300; round++) {
		const corpus = corpusOf(20 + Math.floor(400 * random()), random);
		const asked = times(1 + Math.floor(7 * random()), () => `w${Math.floor(200 ** random())}`);
		const mask = corpus.documents.live.map((live) => (random() < 0.8 ? live : 0));
		const all = rankByTerms(asked, corpus, { limit: corpus.documents.size, mask }).matches;
		const least = (all[0]?.score ?? 0) * random();
		const limit = 1 + Math.floor(20 * random());
		const found = rankByTerms(asked, corpus, { limit, mask, least });
		assert.deepEqual(found.matches, all.slice(0, limit));
		if (all.filter(({ score }) => score >= least).length >= limit && limit < all.length) shorter++;
		assert.ok(corpus.scores.every((score) => score === 0));
	}
	assert.ok(shorter > 50, `${shorter} searches skip passages`);
});

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

test("passages are kept unchanged across many chunks of memory", () => {
	const texts = madeOf(passages);
	assert.ok(texts.parts().length > 1);
	for (const [row, passage] of passages.entries()) assert.deepEqual(texts.passageAt(row), passage);
	assert.equal(texts.passageAt(passages.length), undefined);
});

function storedIn(texts: PassageTexts, isReadable = () => true) {
	const { starts, lengths, sums, bytes } = texts;
	const all = Buffer.concat(texts.parts());
	const seen = { isClosed: false };
	const file: TextFile = {
		readNow: (start, length) => (isReadable() ? all.subarray(start, start + length) : Buffer.alloc(0)),
		fill: async (target, start) => isReadable() && all.copy(target, 0, start) === target.length,
		close: async () => void Object.assign(seen, { isClosed: true }),
	};
	const arrays = { starts: starts.slice(), lengths: lengths.slice(), sums: sums.slice() };
	return { all, seen, stored: createPassageTexts({ ...arrays, bytes, file }) };
}

test("a passage with changed bytes in the file is dropped, but not the neighbors of the passage", async () => {
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

test("passages of a file that becomes unreadable are dropped, and other passages can be added", async () => {
	let isReadable = true;
	const { seen, stored } = storedIn(madeOf(passages), () => isReadable);
	assert.deepEqual(stored.headAt(0), { resource: "urn:0" });
	isReadable = false;
	assert.equal(stored.passageAt(0), undefined);
	const other = { title: "new", text: "new", lines: { start: 1, end: 1 } };
	stored.add(other);
	await stored.whole();
	assert.equal(seen.isClosed, true);
	assertMapped([0, 1, 3000], (at) => stored.passageAt(at), [undefined, undefined, other]);
});

const ROWS = 20_000;
const LIMIT = 20;
function makeVectors(dimensions: number): Float32Array[] {
	const fraction = createFractions(1);
	const random = () => fraction() - 0.5;
	const centres = Array.from({ length: 50 }, () => Array.from({ length: dimensions }, random));
	return Array.from({ length: ROWS }, (_, row) => {
		const centre = centres[row % centres.length] ?? [];
		return unit(dimensions, (d) => (centre[d] ?? 0) + random());
	});
}

const product = (a: Float32Array, b: Float32Array) =>
	a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);

function exactly(vectors: readonly Float32Array[], query: Float32Array): number[] {
	const cosines = vectors.map((vector) => product(vector, query));
	return [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, LIMIT);
}

for (const dimensions of [256, 100])
	test(`a search finds the nearest of ${ROWS} vectors with ${dimensions} dimensions`, () => {
		const vectors = makeVectors(dimensions);
		const rows = createVectorRows(dimensions);
		for (const vector of vectors) rows.add(vector);
		const mask = new Uint8Array(ROWS).fill(1);
		let found = 0;
		for (const query of vectors.slice(0, 20)) {
			const matches = rows.match(query, { limit: LIMIT, mask, comesBefore });
			const wanted = new Set(exactly(vectors, query));
			assert.ok(Math.abs((matches[0]?.score ?? 0) - 1) < 0.01);
			found += matches.filter(({ row }) => wanted.has(row)).length;
		}
		assert.ok(found >= 0.95 * 20 * LIMIT, `${found} of ${20 * LIMIT}`);
	});

test("scores are cosines within the precision of 8 bits, in any dimension", () => {
	for (const dimensions of [3, 256, 3000]) {
		const [a, b] = [unit(dimensions, (d) => d + 1), unit(dimensions, (d) => Math.cos(d))];
		const rows = createVectorRows(dimensions);
		for (const vector of [a, b]) rows.add(vector);
		const matches = rows.match(a, { limit: 2, mask: Uint8Array.of(1, 1), comesBefore });
		const expected = [1, product(a, b)];
		for (const { row, score } of matches)
			assert.ok(Math.abs(score - (expected[row] ?? 9)) < 5e-3, `${score}`);
		assert.equal(matches.length, 2);
	}
});

function unit(dimensions: number, valueAt: (d: number) => number): Float32Array {
	const vector = Float32Array.from({ length: dimensions }, (_, d) => valueAt(d));
	const length = Math.hypot(...vector);
	return vector.map((value) => value / length);
}

test("a search finds enough rows even if the sampled rows are nearer than all other rows", () => {
	const query = unit(64, (d) => Math.sin(d + 1));
	const rows = createVectorRows(64);
	const mask = new Uint8Array(ROWS);
	for (const [row, vector] of makeVectors(64).entries()) {
		const place = row % 4096;
		rows.add(place < 256 ? query : vector);
		mask[row] = place < 5 || place >= 256 ? 1 : 0;
	}
	const found = rows.match(query, { limit: 100, mask, comesBefore }).map(({ row }) => row);
	assert.equal(found.length, 100);
	assert.ok(found.slice(0, 25).every((row) => row % 4096 < 5));
	assert.ok(found.slice(25).every((row) => row % 4096 >= 256));
});

function descriptorsOf(entries: Readonly<Record<string, string>>, dimensions = 0) {
	const index = createDescriptorIndex(dimensions);
	for (const [hash, purpose] of Object.entries(entries)) {
		const descriptor = { purpose, applicability: "", evaluation: "" };
		index.add(hash, descriptor, dimensions > 0 ? vectorOf(purpose) : new Float32Array());
	}
	return index;
}

function ranked(index: ReturnType<typeof descriptorsOf>, query: string, hashes: readonly string[]) {
	const matches = index.match({ query, typicalCosine: 0 }, hashes);
	return matches.map(({ hash, score }) => [hash, Math.round(score * 100) / 100]);
}

test("a descriptor's score is its share of the question's words, whatever other descriptors are requested", () => {
	const index = descriptorsOf({ lamp: "Replace a broken bulb", oven: "Bake bread at night" });
	assert.deepEqual(ranked(index, "How do I replace a bulb?", ["lamp", "oven"]), [["lamp", 1]]);
	assert.deepEqual(ranked(index, "replace the propeller", ["lamp", "oven"]), [["lamp", 0.5]]);
	assert.deepEqual(ranked(index, "bulb", ["gone"]), []);
	const [both, alone] = [["lamp", "oven"], ["oven"]].map((hashes) => ranked(index, "bread, bulb", hashes));
	assert.deepEqual(both?.at(-1), alone?.[0]);
});

test("a near vector finds a descriptor without words of the question", () => {
	const index = descriptorsOf({ a: "aaaa", b: "bbbb" }, 4);
	const vector = vectorOf("aaa");
	const [best, ...others] = index.match({ query: "nothing", vector, typicalCosine: 0.2 }, ["a", "b"]);
	assert.deepEqual([best?.hash, others], ["a", []]);
	assert.ok((best?.score ?? 0) > 0.9);
});

test("the compiled kernels match their source, which `npm run kernels` compiles", async () => {
	assert.equal(readFileSync("src/base/kernels/compiled.ts", "utf8"), await compileKernels());
});
