import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { chooseHits } from "../../src/retrieve/choose.ts";

function hitsOf(...hits: readonly (readonly [name: string, text?: string])[]): Hit[] {
	return hits.map(([name, text], index) => ({
		id: `${name}#${index}`,
		uri: `file:///${name}`,
		path: name,
		lines: { start: 1, end: 1 },
		title: name,
		text: text ?? `text ${index}`,
		score: 1 - index / 100,
		why: { text: index + 1 },
	}));
}

function chosen(hits: readonly Hit[], limit: number): string[] {
	return chooseHits(hits, limit).hits.map(({ id }) => id);
}

test("the best come first, up to the limit", () => {
	assert.deepEqual(chosen(hitsOf(["a"], ["b"], ["c"]), 2), ["a#0", "b#1"]);
});

test("a text counts once, where it ranks best", () => {
	assert.deepEqual(chosen(hitsOf(["a", "same"], ["b", "same"], ["c"]), 3), ["a#0", "c#2"]);
});

test("one document leaves room for others", () => {
	assert.deepEqual(chosen(hitsOf(["a"], ["a"], ["a"], ["a"], ["b"], ["c"]), 4), ["a#0", "a#1", "b#4", "c#5"]);
});

test("one document fills what the others leave", () => {
	assert.deepEqual(chosen(hitsOf(["a"], ["a"], ["a"], ["b"], ["a"]), 4), ["a#0", "a#1", "a#2", "b#3"]);
});

test("what a better hit of its document has said gives way to others", () => {
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
