import assert from "node:assert/strict";
import { test } from "node:test";
import { shareWindow } from "../../src/models/tokenEstimate.ts";

test("a small window keeps a quarter free for the answer, a large one what an answer needs", () => {
	assert.deepEqual(shareWindow(2049, 4096), { maxInputTokens: 1536, maxOutputTokens: 513 });
	assert.deepEqual(shareWindow(128_000, 4096), { maxInputTokens: 123_904, maxOutputTokens: 4096 });
});
