import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserQuestion } from "../../../src/core/agent/userQuestion.ts";
import { createAskUserTool } from "../../../src/tools/questions/askUser.ts";

const never = new AbortController().signal;

test("the person's answer goes to the model; where they may answer freely is said", async () => {
	const { person, call } = asking();
	const reply = call({ question: "Which lamp?", choices: ["Red", "White"], allowFreeform: false });
	assert.deepEqual(person.asked, [
		{ question: "Which lamp?", choices: ["Red", "White"], allowFreeform: false },
	]);
	person.answer("Red");
	assert.equal(await reply, "The user answered: Red");
});

test("a question without choices can always be answered freely", async () => {
	const { person, call } = asking();
	const reply = call({ question: "Which lamp?", allowFreeform: false });
	assert.equal(person.asked[0]?.allowFreeform, true);
	person.answer("The old one");
	await reply;
});

test("a question that is closed is not asked again by itself", async () => {
	const { person, call } = asking();
	const reply = call({ question: "Which lamp?" });
	person.answer(undefined);
	assert.match(await reply, /closed the question.*Do not ask the same again/);
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

class ScriptedPerson {
	readonly asked: UserQuestion[] = [];
	signal: AbortSignal | undefined;
	#resolve: (answer: string | undefined) => void = () => undefined;

	ask(question: UserQuestion, signal: AbortSignal): Promise<string | undefined> {
		this.asked.push(question);
		this.signal = signal;
		const { promise, resolve } = Promise.withResolvers<string | undefined>();
		this.#resolve = resolve;
		return promise;
	}

	answer(answer: string | undefined): void {
		this.#resolve(answer);
	}
}

function asking(patienceMs?: number) {
	const person = new ScriptedPerson();
	const tool = createAskUserTool((question, signal) => person.ask(question, signal), patienceMs);
	return { person, tool, call: async (input: object) => (await tool.run(input, { signal: never })).text };
}
