import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { callTool } from "../../../src/agent/call/toolCall.ts";
import { isFailure } from "../../../src/base/failure.ts";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import type { PinnedTool, TurnHooks } from "../../../src/core/agent/tool.ts";
import type { Decided, Effect, Permissions } from "../../../src/core/permission/permission.ts";
import { defineTool } from "../../../src/tools/definition/defineTool.ts";
import { createStepsOfOthers } from "../../../src/vscode/tools/languageModelTools.ts";
import { createChatOrigins, createToolGate } from "../../../src/vscode/tools/toolGate.ts";
import { MarkdownString } from "../../support/fakeVscode.ts";

const defined = defineTool({
	...{ name: "remember", title: "Look", summary: "Looks.", description: "Looks." },
	schema: z.object({ at: z.string() }),
	announce: ({ at }) => `Looking at ${at}`,
	run: async () => "done",
});
const tool = { ...defined, name: "look" };
const input = { at: "the *lamp*" };

function open(effect: Effect) {
	const rules = { effect };
	const decided: string[] = [];
	const observed: string[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const permissions: Permissions = {
		...{ add: unasked, revoke: unasked, rules: unasked, decisions: unasked, preview: unasked },
		verdictFor: async ({ session }) => ({ effect: session === "free" ? "allow" : rules.effect }),
		record: async ({ effect: said, by }: Decided) => void decided.push(`${said} by ${by}`),
	};
	const origins = createChatOrigins();
	const observer = { decided: ({ tool: name }: { readonly tool: string }) => void observed.push(name) };
	const gate = createToolGate(permissions, observer, origins);
	return {
		gate: {
			questionOf: (called: typeof tool, given: object, announced: unknown = {}) =>
				gate.questionOf(called, given, announced),
			admit: (called: typeof tool, given: object, origin?: unknown) =>
				gate.admit(called, given, { signal: new AbortController().signal, origin }),
		},
		origins,
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
	const message = new MarkdownString("Looking at the \\*lamp\\*");
	assert.deepEqual(question, { title: "Look?", message });
	await gate.admit(tool, { at: "what the person made of it" });
	assert.deepEqual(decided, ["allow by host"]);
});

test("a yes is good for one call", async () => {
	const { gate, decided } = open("ask");
	await gate.questionOf(tool, input);
	await gate.admit(tool, input);
	await assert.rejects(gate.admit(tool, input), isRefusal);
	assert.deepEqual(decided, ["allow by host", "deny by default"]);
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

const chatNamed = (path: string) => ({ scheme: "vscode-chat", authority: "local", path });

test("a rule for a session holds for calls from its chat, and for no other", async () => {
	const { gate, origins, decided } = open("ask");
	origins.note({ sessionResource: chatNamed("/a") }, "free");
	origins.note({ sessionResource: chatNamed("/b") }, "other");
	assert.equal(await gate.questionOf(tool, input, { chatSessionResource: chatNamed("/a") }), undefined);
	await gate.admit(tool, input, { sessionResource: chatNamed("/a") });
	for (const origin of [chatNamed("/b"), chatNamed("/c"), "/a", undefined])
		await assert.rejects(gate.admit(tool, input, { sessionResource: origin }), isRefusal);
	assert.equal(decided[0], "allow by default");
});

test("what is allowed in one chat is not allowed in another", async () => {
	const { gate, origins } = open("ask");
	for (const name of ["a", "b"]) origins.note({ sessionResource: chatNamed(`/${name}`) }, name);
	await gate.questionOf(tool, input, { chatSessionResource: chatNamed("/a") });
	await assert.rejects(gate.admit(tool, input, { sessionResource: chatNamed("/b") }), isRefusal);
	await gate.admit(tool, input, { sessionResource: chatNamed("/a") });
});

test("what was asked about in an earlier turn and never came was not allowed", async () => {
	const { gate, origins } = open("ask");
	const chat = { chatSessionResource: chatNamed("/a") };
	origins.note({ sessionResource: chatNamed("/a") }, "a");
	await gate.questionOf(tool, { at: "skipped" }, { ...chat, chatRequestId: "1" });
	await gate.questionOf(tool, input, { ...chat, chatRequestId: "2" });
	await gate.admit(tool, input, { sessionResource: chatNamed("/a") });
	await assert.rejects(gate.admit(tool, input, { sessionResource: chatNamed("/a") }), isRefusal);
});

test("a call that was asked about keeps its yes when another one that needs none comes first", async () => {
	const { gate, rules } = open("ask");
	await gate.questionOf(tool, input);
	rules.effect = "allow";
	await gate.admit(tool, { at: "another" });
	rules.effect = "ask";
	await gate.admit(tool, input);
});

test("an agent that is not ours hands a command the result of another by reference, within its chat, and hooks look at it", async () => {
	const origins = createChatOrigins();
	const seen: unknown[] = [];
	const nothing = { context: [], notices: [] };
	const turnHooks: TurnHooks = {
		prompt: async () => nothing,
		end: async () => nothing,
		after: async () => nothing,
		before: async ({ input }) =>
			JSON.stringify(input).includes("Berit") ? { ...nothing, denial: "Not Berit." } : nothing,
	};
	const stepsOf = createStepsOfOthers({ origins, turnHooks });
	const name = { anyOf: [{ type: "string" }, ASSET_REF_SCHEMA] };
	const inputSchema = { type: "object", properties: { param: { type: "object", properties: { name } } } };
	const plugin: PinnedTool = {
		...tool,
		...{ name: "plugin", inputSchema, definition: "people" },
		pinned: async () => plugin,
		run: async (given) => {
			seen.push(given);
			return { text: '{"rows":[{"name":"Anna"},{"name":"Berit"}]}' };
		},
	};
	const { signal } = new AbortController();
	const inChat = (path: string) => ({ signal, origin: { sessionResource: chatNamed(path) } });
	const call = async (given: object, path = "/a") => {
		const context = inChat(path);
		return (await callTool({ tool: plugin, input: given, context }, stepsOf(context.origin))).text;
	};
	assert.match(await call({}), /\(this result is asset:\/\/1\)$/);
	const part = (row: number) => ({ param: { name: `asset://1/rows/${row}/name` } });
	await call(part(0));
	assert.deepEqual(seen.at(-1), { param: { name: "Anna" } });
	await assert.rejects(call(part(1)), /Not Berit/);
	await assert.rejects(call(part(0), "/b"), /There are: none yet/);
	assert.equal(seen.length, 2);
	// Our own loop has done all that already.
	origins.note({ sessionResource: chatNamed("/c") }, "ours");
	assert.deepEqual(stepsOf(inChat("/c").origin), {});
});
