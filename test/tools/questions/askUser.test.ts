import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserQuestion } from "../../../src/core/agent/userQuestion.ts";
import { createAskUserTool } from "../../../src/tools/questions/askUser.ts";

const never = new AbortController().signal;

test("the person's answer goes to the model; where they may answer freely is said", async () => {
	for (const [asked, shown, answer, reply] of [
		[
			{ choices: ["Red", "White"], allowFreeform: false },
			{ choices: ["Red", "White"], allowFreeform: false },
			"Red",
			/^The user answered: Red$/,
		],
		// Without choices any answer is possible.
		[{ allowFreeform: false }, { choices: [], allowFreeform: true }, "The old one", /: The old one$/],
		[{}, { choices: [], allowFreeform: true }, undefined, /closed the question.*Do not ask the same again/],
	] as const) {
		const { person, call } = asking();
		const question = "Which lamp?";
		const told = call({ question, ...asked });
		assert.deepEqual(person.asked, [{ question, ...shown }]);
		person.answer(answer);
		assert.match(await told, reply);
	}
});

test("while the person thinks the model is told to ask again, and the same question stays open", async () => {
	const { person, call } = asking(1);
	assert.match(await call({ question: "Which lamp?" }), /not answered yet.*again with the same input/);
	person.answer("Red");
	assert.equal(await call({ question: "Which lamp?" }), "The user answered: Red");
	assert.equal(person.asked.length, 1);
	void call({ question: "Which lamp?" });
	assert.equal(person.asked.length, 2, "an answer that was told is used up");
});

test("a call that is given up takes its question away", async () => {
	const { person, tool } = asking();
	const turn = new AbortController();
	const reply = tool.run({ question: "Which lamp?" }, { signal: turn.signal });
	turn.abort(new Error("The turn is over."));
	await assert.rejects(reply, /The turn is over/);
	assert.equal(person.signal?.aborted, true);
});

interface Person {
	readonly asked: UserQuestion[];
	signal?: AbortSignal;
	answer(words?: string): void;
}

function asking(patienceMs?: number) {
	const person: Person = { asked: [], answer: () => undefined };
	const tool = createAskUserTool((question, signal) => {
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		person.asked.push(question);
		Object.assign(person, { signal, answer: resolve });
		return promise;
	}, patienceMs);
	return { person, tool, call: async (input: object) => (await tool.run(input, { signal: never })).text };
}
