import assert from "node:assert/strict";
import { test } from "node:test";
import type { TranscriptTurn } from "../../../src/core/session/session.ts";
import { replayText } from "../../../src/vscode/chat/replayText.ts";

const turn = (rest: Partial<TranscriptTurn>): TranscriptTurn => ({
	...{
		turn: 0,
		at: 0,
		question: "Why?",
		attachments: [],
		events: [],
		answer: "So.",
		outcome: "done",
		tokens: 0,
	},
	...rest,
});

test("a session is shown with its questions, its calls and its answers", () => {
	const call = { id: "1", name: "shell", input: { command: "make all" } };
	const events = [{ kind: "toolFinished", call, ok: false, text: "secret" } as const];
	const turns = [turn({ events }), turn({ question: "And then?", answer: "", outcome: "cancelled" })];
	assert.deepEqual(replayText({ title: "Lamps", turns, folder: "/kb" }).split("\n\n"), [
		"This chat continues **Lamps** (2 turns). It works in ` /kb `.",
		...["---", "**You:** Why?", "- ✗ shell ` make all `", "So."],
		...["---", "**You:** And then?", "*The turn was not finished.*"],
	]);
});

test("nothing in a session becomes a link, a picture, a heading or HTML when it is shown again", () => {
	const evil = "[press](command:x)\n# Head\n<img src=x>\n    code\n\n```\n![a](http://b)";
	const text = replayText({
		title: `T\n${evil}`,
		turns: [turn({ question: evil, answer: evil, error: evil })],
	});
	assert.doesNotMatch(text, /(?<!\\)[[<`]|^ {4}|^#/m);
});

test("of a long session the end is shown, and how much is left out", () => {
	const turns = Array.from({ length: 40 }, (_, at) =>
		turn({ question: `Question ${at}`, answer: "x".repeat(9000) }),
	);
	const text = replayText({ title: "Long", turns });
	assert.match(text, /28 earlier turns/);
	assert.doesNotMatch(text, /Question 27$/m);
	assert.match(text, /Question 39/);
	assert.ok(text.length < 12 * 4200);
});
