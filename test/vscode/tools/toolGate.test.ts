import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { isFailure } from "../../../src/base/failure.ts";
import type { Decision, Effect, Permissions } from "../../../src/core/permission/permission.ts";
import { defineTool } from "../../../src/tools/defineTool.ts";
import { createToolGate } from "../../../src/vscode/tools/toolGate.ts";
import { MarkdownString } from "../../support/fakeVscode.ts";

const tool = defineTool({
	...{ name: "look", title: "Look", summary: "Looks.", description: "Looks." },
	schema: z.object({ at: z.string() }),
	announce: ({ at }) => `Looking at ${at}`,
	run: async () => "done",
});
const input = { at: "the *lamp*" };

/** A gate over rules that say what the test lets them say. */
function open(effect: Effect) {
	const rules = { effect };
	const decided: string[] = [];
	const observed: string[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const permissions: Permissions = {
		...{ add: unasked, revoke: unasked, rules: unasked, decisions: unasked, preview: unasked },
		verdictFor: async () => ({ effect: rules.effect }),
		record: async ({ effect: said, by }: Omit<Decision, "at">) => void decided.push(`${said} by ${by}`),
	};
	return {
		gate: createToolGate(permissions, { decided: ({ tool: name }) => void observed.push(name) }),
		rules,
		decided,
		observed,
	};
}

const isRefusal = (thrown: unknown) => isFailure(thrown) && thrown.code === "NOT_ALLOWED";

test("what is allowed is not asked about", async () => {
	const { gate, decided, observed } = open("allow");
	assert.equal(await gate.questionOf(tool, input), undefined);
	await gate.admit(tool, input);
	assert.deepEqual(decided, ["allow by default"]);
	assert.deepEqual(observed, ["look"]);
});

test("what is asked about says what it is in words that are not Markdown, and its coming is a yes", async () => {
	const { gate, decided } = open("ask");
	const question = await gate.questionOf(tool, input);
	assert.deepEqual(question, {
		title: "Look?",
		message: new MarkdownString("Looking at the \\*lamp\\*"),
	});
	await gate.admit(tool, { at: "what the person made of it" });
	assert.deepEqual(decided, ["allow by person"]);
});

test("a yes is good for one call", async () => {
	const { gate, decided } = open("ask");
	await gate.questionOf(tool, input);
	await gate.admit(tool, input);
	await assert.rejects(gate.admit(tool, input), isRefusal);
	assert.deepEqual(decided, ["allow by person", "deny by default"]);
});

test("a call that nobody was asked about does not pass when the rules change meanwhile", async () => {
	const { gate, rules } = open("allow");
	assert.equal(await gate.questionOf(tool, input), undefined);
	rules.effect = "ask";
	await assert.rejects(gate.admit(tool, input), isRefusal);
});

test("what is denied is not asked about and does not pass", async () => {
	const { gate, decided } = open("deny");
	assert.equal(await gate.questionOf(tool, input), undefined);
	await assert.rejects(gate.admit(tool, input), isRefusal);
	assert.deepEqual(decided, ["deny by default"]);
});

test("a wrong input is not asked about, and is refused in words about the input", async () => {
	const { gate, decided } = open("ask");
	assert.equal(await gate.questionOf(tool, {}), undefined);
	await assert.rejects(gate.admit(tool, {}), /Wrong input/);
	assert.deepEqual(decided, []);
});
