import assert from "node:assert/strict";
import { test } from "node:test";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import type { JournalEntry } from "../../../src/core/session/journalEntry.ts";
import type { SessionJournals } from "../../../src/core/session/session.ts";
import { answerInstructions } from "../../../src/vscode/turn/sessionInstructions.ts";
import { type ChatTurn, keepTurn } from "../../../src/vscode/turn/turnRecord.ts";

const never = new AbortController().signal;

test("the chat confirms instructions only after they were saved", async () => {
	const said: string[] = [];
	const stream = { markdown: (text: string) => void said.push(text) };
	const turn = { prompt: "Be short.", session: "a", stream } as unknown as ChatTurn;
	const full = async () => {
		throw new Error("The disk is full.");
	};
	await assert.rejects(answerInstructions({ of: async () => "", set: full }, turn, never), /disk is full/);
	assert.deepEqual(said, []);
});

test("the journal of a turn has spans only if the answer cites any", async () => {
	const written: JournalEntry[] = [];
	const append: SessionJournals["append"] = async (_session, entries) => void written.push(...entries);
	const sessions = { append } as unknown as SessionJournals;
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => "" });
	const question = { text: "Why?", attachments: [], isFirst: true };
	const log = { error: (thrown: unknown) => assert.fail(String(thrown)) };
	const span = { path: "a.md", start: 1, end: 2, hash: "0", words: [] } as never;
	for (const [session, spans] of [
		["bare", []],
		["cited", [span]],
	] as const)
		await (await keepTurn(journal, { session, question }, log)).end(undefined, spans);
	const answers = written.filter(({ kind }) => kind === "answer");
	assert.deepEqual(
		answers.map((answer) => "spans" in answer),
		[false, true],
	);
});
