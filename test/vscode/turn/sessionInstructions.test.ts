import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import { emptyDigest } from "../../../src/sessions/journal/digest.ts";
import { parseEntry } from "../../../src/sessions/journal/journalEntry.ts";
import { toTranscript } from "../../../src/sessions/journal/transcript.ts";
import { createSessionInstructions } from "../../../src/vscode/turn/sessionInstructions.ts";

const never = new AbortController().signal;

/** Instructions over journals in memory, whose lines are written and read as those on the disk. */
function open() {
	const journals = new Map<string, string[]>();
	const linesOf = (id: string) => {
		const lines = journals.get(id);
		if (!lines) throw new Failure("NOT_FOUND", "There is no such session.");
		return lines;
	};
	const instructions = createSessionInstructions({
		workspace: () => "file:///w",
		sessions: {
			append: async (id, entries) => {
				if (entries[0]?.kind === "session") journals.set(id, []);
				linesOf(id).push(...entries.map((entry) => JSON.stringify(entry)));
			},
			read: async (id) => {
				const entries = linesOf(id).map((line): JournalEntry | undefined => parseEntry(line));
				return toTranscript(
					emptyDigest(id).summary,
					entries.filter((entry) => entry !== undefined),
				);
			},
		},
	});
	return { instructions, journals };
}

test("instructions are kept in the session's journal, and the last ones count", async () => {
	const { instructions, journals } = open();
	assert.equal(await instructions.of("a", never), "");
	await instructions.set("a", "Be short.", never);
	await instructions.set("a", "Use metres.", never);
	assert.equal(await instructions.of("a", never), "Use metres.");
	assert.equal(await instructions.of("b", never), "");
	assert.equal(journals.get("a")?.length, 3);
	await instructions.set("a", "", never);
	assert.equal(await instructions.of("a", never), "");
});

test("instructions that no request should carry are refused with their length", async () => {
	const { instructions, journals } = open();
	await assert.rejects(
		instructions.set("a", "x".repeat(4001), never),
		/4000 characters at most; these have 4001/,
	);
	assert.equal(journals.size, 0);
});
