import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { chooseHits, joinNeighbours } from "../../src/retrieve/choose.ts";
import type { Fused } from "../../src/retrieve/fuse.ts";
import { withStaticCosines } from "../../src/retrieve/legs.ts";
import { rankByLikeness } from "../../src/retrieve/look.ts";
import { medianLength, rankByDocument } from "../../src/retrieve/rankByDocument.ts";
import { transformerScale } from "../../src/retrieve/vectorScale.ts";
import { createVectorRows } from "../../src/search/vectorRows.ts";
import type { StoredPassage } from "../../src/store/port/store.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { times } from "../support/times.ts";
import { builtIn } from "./handbook.ts";

/** URIs of the ranked passages. The document `short` has a single passage, the others have nine. */
function ranked(median: number, found: string): string {
	const passages = found.split(", ").map((one) => {
		const [uri = "", score] = one.split(" ");
		return { uri, score: Number(score), isText: true };
	});
	const of = (uri: string) => (uri === "short" ? 1 : 9);
	return Array.from(rankByDocument(passages, { median, of }), ({ uri }) => uri).join(" ");
}

const RANKINGS: Readonly<Record<string, readonly [median: number, found: string, expected: RegExp]>> = {
	"several good passages precede a better one": [4, "other 0.8, long 0.78, long 0.77, long 0.76", /^long/],
	"a short document ranks by its own passages": [4, "short 0.8, long 0.79, long 0.6", /^short long long$/],
	"a moderately short document keeps its rank": [5, "short 0.8, long 0.79, long 0.78", /^short/],
	"a very short document ranks below a slightly worse one": [6, "short 0.8, long 0.79, long 0.78", /^long/],
	"a very short document ranks above a much worse one": [6, "short 0.8, long 0.6", /^short/],
	"a second passage ranks below another document": [4, "long 0.9, long 0.85, short 0.8", /^long short long$/],
};

for (const [title, [median, found, expected]] of Object.entries(RANKINGS))
	test(title, () => assert.match(ranked(median, found), expected));

test("the median length ignores documents without passages", () => {
	assert.deepEqual([medianLength([0, 0, 7, 1, 3]), medianLength([0])], [3, 1]);
});

/** Ranks rows with these scores and unit vectors at these angles in degrees; "none" is a row without a vector. */
function ranksBy(scores: readonly number[], ...angles: readonly (number | "none")[]): readonly Fused[] {
	const vectors = createVectorRows(2);
	for (const angle of angles) {
		const radians = (Number(angle) * Math.PI) / 180;
		const direction = [Math.cos(radians), Math.sin(radians)];
		vectors.add(angle === "none" ? new Float32Array(2) : Float32Array.from(direction));
	}
	const found = scores.map((score, row) => ({ row, score, why: { text: row + 1 } }));
	return rankByLikeness(found, vectors);
}

const rowsOf = (fused: readonly Fused[]) => fused.map(({ row }) => row);

test("passages with equal scores rank by likeness to the best; a much better score stays ahead", () => {
	assert.deepEqual(rowsOf(ranksBy([1, 0.9, 0.5, 0.5], 0, 10, 90, 5)), [0, 1, 3, 2]);
	assert.deepEqual(rowsOf(ranksBy([1, 0.9, 0.8, 0.3], 0, 0, 90, 0)), [0, 1, 2, 3]);
});

test("scores by likeness stay between 0 and 1, and hits keep their ranks", () => {
	const ranked = ranksBy([1, 1, 0], 0, 0, 180);
	assertMapped(ranked, ({ why }) => why.text, [1, 2, 3]);
	assert.ok(Math.abs((ranked[0]?.score ?? 0) - 1) < 0.01);
	assert.equal(ranked.at(-1)?.score, 0);
});

test("a passage without a vector scores like the farthest passage", () => {
	const ranked = ranksBy([1, 1, 0.5, 0.5], 0, 0, 60, "none");
	assert.deepEqual(rowsOf(ranked), [0, 1, 2, 3]);
	assert.equal(ranked[2]?.score, ranked[3]?.score);
});

test("scaled cosines are equal for models with narrow and wide ranges", () => {
	const [close, far] = [transformerScale(0.8, 100), transformerScale(0.1, 100)];
	const near = (typical: number) => typical + 0.5 * (1 - typical);
	assert.ok(Math.abs(close.read(near(0.8)) - far.read(near(0.1))) < 1e-9);
	assert.deepEqual([close.read(0.8), close.read(0.7), close.read(1)], [0, 0, 1]);
});

test("the built-in model separates equal cosines of a transformer, but keeps cosines of removed passages", async () => {
	const texts = ["Ships carry freight.", "The keeper trims the lamp of the lighthouse."];
	const read = async () => new Map(texts.map((text, row) => [row, { title: "", text } as StoredPassage]));
	const found = { vector: [0, 1].map((row) => ({ row, score: 0.5 })), cosines: new Map([[7, 0.3]]) };
	const near = await withStaticCosines("lighthouse keeper", found, { store: { read }, words: builtIn });
	assert.deepEqual([near.vector.map(({ row }) => row), [...near.cosines]], [[1, 0], [[7, 0.3]]]);
	assert.ok(near.vector.every(({ score }) => Math.abs(score - 0.5) < 0.05));
});

test("the nearest of few passages counts even if its cosine is typical", () => {
	assert.ok(transformerScale(0.6, 1).read(0.6) > 0.5);
	assert.equal(transformerScale(0.6, 100).read(0.6), 0);
});

function place(id: string, text = `Text ${id}.`, title = "Guide") {
	const start = 10 * Number(id.split("#")[1]) + 1;
	const lines = { start, end: start + 8 };
	const content = [{ uri: "file:///a.md", title, form: "prose", text, lines } as const];
	return { id, title, text, lines, content };
}

const isText = () => true;

test("adjacent passages become one hit, at the rank of the best passage", () => {
	const hits = joinNeighbours(
		["a#4", "b#1", "a#3", "a#5"].map((id) => place(id)),
		isText,
	);
	assertMapped(hits, ({ id, lines, text }) => ({ id, lines, text }), [
		{ id: "a#4", lines: { start: 31, end: 59 }, text: "Text a#3.\n\nText a#4.\n\nText a#5." },
		{ id: "b#1", lines: { start: 11, end: 19 }, text: "Text b#1." },
	]);
});

test("a heading within joined passages stays above its text", () => {
	const [hit] = joinNeighbours([place("a#1", "One.", "A › 1"), place("a#2", "Two.", "A › 2")], isText);
	assert.equal(hit?.title, "A › 1");
	assert.equal(hit?.text, "One.\n\nA › 2\nTwo.");
	assertMapped(hit?.content ?? [], ({ title, text }) => `${title}: ${text}`, ["A › 1: One.", "A › 2: Two."]);
});

test("adjacent passages are joined up to a number of characters and lines", () => {
	const linesOf = (hits: ReturnType<typeof place>[]) =>
		joinNeighbours(hits, isText).map(({ lines: { start, end } }) => `${start}-${end}`);
	assert.deepEqual(linesOf(times(3, (at) => place(`a#${at}`, "x".repeat(1900)))), ["1-19", "21-29"]);
	assert.deepEqual(linesOf(times(7, (at) => place(`a#${at}`))), ["1-59", "61-69"]);
});

function hitsOf(...hits: readonly (readonly [name: string, text?: string])[]): Hit[] {
	return hits.map(([name, text], index) => ({
		...{ id: `${name}#${index}`, uri: `file:///${name}`, path: name, title: name },
		...{ lines: { start: 1, end: 1 }, text: text ?? `text ${index}` },
		...{ score: 1 - index / 100, why: { text: index + 1 } },
	}));
}

const chosen = (hits: readonly Hit[], limit: number) => chooseHits(hits, limit).hits.map(({ id }) => id);

for (const [title, limit, hits, expected] of [
	["the best passages are chosen, up to the limit", 2, [["a"], ["b"], ["c"]], "a#0 b#1"],
	["a repeated text is chosen once, at its best rank", 3, [["a", "same"], ["b", "same"], ["c"]], "a#0 c#2"],
	["a document fills half of the hits", 4, [["a"], ["a"], ["a"], ["a"], ["b"], ["c"]], "a#0 a#1 b#4 c#5"],
	["a document fills hits that others leave free", 4, [["a"], ["a"], ["a"], ["b"], ["a"]], "a#0 a#1 a#2 b#3"],
] as const)
	test(title, () => assert.equal(chosen(hitsOf(...hits), limit).join(" "), expected));

test("a passage that repeats a better passage of its document ranks below other documents", () => {
	const answer = "Close the valve before you open the tank.";
	const hits = hitsOf(
		["a", `How is the tank opened? ${answer}`],
		["a", `Answer: ${answer}`],
		["b", answer],
		["a", "The tank holds water."],
	);
	assert.deepEqual(chosen(hits, 3), ["a#0", "b#2", "a#3"]);
	assert.deepEqual(chosen(hits, 4), ["a#0", "a#1", "b#2", "a#3"]);
});
