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

for (const [title, limit, hits, expected] of [
	["the best come first, up to the limit", 2, [["a"], ["b"], ["c"]], "a#0 b#1"],
	["a text counts once, where it ranks best", 3, [["a", "same"], ["b", "same"], ["c"]], "a#0 c#2"],
	["one document leaves room for others", 4, [["a"], ["a"], ["a"], ["a"], ["b"], ["c"]], "a#0 a#1 b#4 c#5"],
	["one document fills what the others leave", 4, [["a"], ["a"], ["a"], ["b"], ["a"]], "a#0 a#1 a#2 b#3"],
] as const)
	test(title, () => assert.equal(chosen(hitsOf(...hits), limit).join(" "), expected));

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
