import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { callTool } from "../../../src/agent/call/toolCall.ts";
import { ASSET_REF_SCHEMA } from "../../../src/core/agent/assetRef.ts";
import type { PinnedTool, TurnHooks } from "../../../src/core/agent/tool.ts";
import type { Effect, Permissions } from "../../../src/core/permission/permission.ts";
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

const chatNamed = (path: string) => ({ scheme: "vscode-chat", authority: "local", path });
/** The chat as VS Code names it when it announces a call. Calls themselves use another field. */
const announcedIn = (chat: string, chatRequestId = "0") => ({
	chatSessionResource: chatNamed(chat),
	chatRequestId,
});
const madeIn = (chat: string) => ({ sessionResource: chatNamed(chat) });

/** Opens chats `/a` and `/b`. The first one's session has the chat's name. */
function open(effect: Effect) {
	const rules = { effect };
	const decided: string[] = [];
	const observed: string[] = [];
	const permissions: Partial<Permissions> = {
		verdictFor: async ({ session }) => ({ effect: session === "free" ? "allow" : rules.effect }),
		record: async ({ effect: said, by }) => void decided.push(`${said} by ${by}`),
	};
	const origins = createChatOrigins();
	for (const name of ["a", "b", "free"]) origins.note(madeIn(`/${name}`), name);
	const observer = { decided: ({ tool: name }: { readonly tool: string }) => void observed.push(name) };
	const gate = createToolGate(permissions as Permissions, observer, origins);
	const ask = (given: object = input, announced: unknown = {}) => gate.questionOf(tool, given, announced);
	const admit = (given: object = input, origin?: unknown) =>
		gate.admit(tool, given, { signal: new AbortController().signal, origin });
	const refuse = (given: object = input, origin?: unknown) =>
		assert.rejects(async () => admit(given, origin), { code: "NOT_ALLOWED" });
	return { ask, admit, refuse, rules, decided, observed };
}

test("the user is not asked about allowed and denied calls; denied calls are rejected", async () => {
	const { ask, admit, refuse, rules, decided, observed } = open("allow");
	assert.equal(await ask(), undefined);
	await admit();
	rules.effect = "deny";
	assert.equal(await ask(), undefined);
	await refuse();
	assert.deepEqual([decided, observed], [["allow by default", "deny by default"], Array(2).fill("look")]);
});

test("a question shows the call without Markdown; the user's answer permits a single call", async () => {
	const { ask, admit, refuse, decided } = open("ask");
	const message = new MarkdownString("Looking at the \\*lamp\\*");
	assert.deepEqual(await ask(), { title: "Look?", message });
	await admit({ at: "what the person made of it" });
	await refuse();
	assert.deepEqual(decided, ["allow by host", "deny by default"]);
});

test("the user is not asked about an invalid input, which is rejected with an error", async () => {
	const { ask, admit, decided } = open("ask");
	assert.equal(await ask({}), undefined);
	await assert.rejects(async () => admit({}), /Wrong input/);
	assert.deepEqual(decided, []);
});

test("a rule for a session applies only to calls of the session's chat", async () => {
	const { ask, admit, refuse, decided } = open("ask");
	assert.equal(await ask(input, announcedIn("/free")), undefined);
	await admit(input, madeIn("/free"));
	for (const origin of [chatNamed("/b"), chatNamed("/c"), "/free", undefined])
		await refuse(input, { sessionResource: origin });
	assert.equal(decided[0], "allow by default");
});

test("a permission applies only to the chat that asked, and a question left unanswered in an earlier turn permits nothing", async () => {
	const { ask, admit, refuse } = open("ask");
	await ask({ at: "skipped" }, announcedIn("/a", "1"));
	await ask(input, announcedIn("/a", "2"));
	await refuse(input, madeIn("/b"));
	await admit(input, madeIn("/a"));
	await refuse(input, madeIn("/a"));
});

test("after rules change, calls without a question are rejected; a call that the user permitted keeps the permission", async () => {
	const { ask, admit, refuse, rules } = open("allow");
	assert.equal(await ask(), undefined);
	rules.effect = "ask";
	await refuse();
	await ask();
	rules.effect = "allow";
	await admit({ at: "another" });
	rules.effect = "ask";
	await admit();
});

test("another agent's commands can refer to results of the same chat, and hooks see the actual values", async () => {
	const origins = createChatOrigins();
	const seen: unknown[] = [];
	const nothing = { context: [], notices: [] };
	const quiet = async () => nothing;
	const turnHooks: TurnHooks = {
		...{ prompt: quiet, end: quiet, after: quiet },
		before: async ({ input }) =>
			JSON.stringify(input).includes("Berit") ? { ...nothing, denial: "Not Berit." } : nothing,
	};
	const stepsOf = createStepsOfOthers(origins, turnHooks);
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
	const call = async (given: object, path = "/a") => {
		const context = { signal, origin: madeIn(path) };
		return (await callTool({ tool: plugin, input: given, context }, stepsOf(context.origin))).text;
	};
	assert.match(await call({}), /\(this result is asset:\/\/1\)$/);
	const part = (row: number) => ({ param: { name: `asset://1/rows/${row}/name` } });
	await call(part(0));
	assert.deepEqual(seen.at(-1), { param: { name: "Anna" } });
	await assert.rejects(call(part(1)), /Not Berit/);
	await assert.rejects(call(part(0), "/b"), /There are: none yet/);
	assert.equal(seen.length, 2);
	// Our own loop resolves references and runs hooks itself.
	origins.note(madeIn("/c"), "ours");
	assert.deepEqual(stepsOf(madeIn("/c")), {});
});
