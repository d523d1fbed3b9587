import assert from "node:assert/strict";
import { test } from "node:test";
import { journalEntry } from "../../../src/core/session/journalEntry.ts";

test("an answer keeps the hashes of what it cites; hashes that cannot be read take nothing else along", () => {
	const answer = { kind: "answer", at: 1, turn: 0, text: "So.", outcome: "done" } as const;
	const span = { path: "a.md", lines: { start: 1, end: 2 }, hash: "ab", words: ["cd"] };
	assert.deepEqual(journalEntry.parse({ ...answer, spans: [span] }), { ...answer, spans: [span] });
	const torn = journalEntry.parse({ ...answer, spans: [{ ...span, lines: "1" }] });
	assert.equal(torn.kind === "answer" && torn.text, "So.");
	assert.equal(torn.kind === "answer" && torn.spans, undefined);
});
