import assert from "node:assert/strict";
import { test } from "node:test";
import { cutParts } from "../../../src/worker/answers/read.ts";

const part = (text: string, start: number) => ({
	uri: "file:///a.md",
	path: "a.md",
	title: "A",
	text,
	lines: { start, end: start + text.split("\n").length - 1 },
});

/** What is shown of the texts: `text@first-last`. */
function shown(texts: readonly string[], maxCharacters: number) {
	const { parts, totalCharacters, truncated } = cutParts(
		texts.map((text, index) => part(text, index * 10 + 1)),
		maxCharacters,
	);
	return {
		parts: parts.map(({ text, lines }) => `${text}@${lines.start}-${lines.end}`),
		totalCharacters,
		truncated,
	};
}

test("what fits is whole", () => {
	assert.deepEqual(shown(["one", "two\nlines"], 12), {
		parts: ["one@1-1", "two\nlines@11-12"],
		totalCharacters: 12,
		truncated: false,
	});
});

test("the last part is cut after a line, and its lines are those that are shown", () => {
	assert.deepEqual(shown(["one", "two\nlines\nhere", "never"], 14), {
		parts: ["one@1-1", "two\nlines@11-12"],
		totalCharacters: 22,
		truncated: true,
	});
});

test("a line longer than all is cut inside", () => {
	assert.deepEqual(shown(["abcdefgh"], 3), { parts: ["abc@1-1"], totalCharacters: 8, truncated: true });
});
