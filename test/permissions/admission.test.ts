import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { withSteps } from "../../src/agent/call/toolCall.ts";
import type { Admit } from "../../src/core/agent/tool.ts";
import type { PermissionRequest, PermissionRule, Permissions } from "../../src/core/permission/permission.ts";
import { describeRule } from "../../src/core/permission/ruleText.ts";
import { inWords } from "../../src/core/phrase.ts";
import { admission, requestFor, requireAllowed } from "../../src/permissions/admission.ts";
import { createConsents } from "../../src/permissions/consents.ts";
import { decide, type PersonsAnswer } from "../../src/permissions/decide.ts";
import { managedRulesOf } from "../../src/permissions/managedRules.ts";
import { openPermissionsOutside, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { defineTool } from "../../src/tools/definition/defineTool.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { makeFolder } from "../support/folder.ts";
import { ALL, fakePermissions, ruleFor } from "./judging.ts";

const from = { door: "mcp", workspace: "" } as const;
const base = {
	...{ name: "remember" as const, title: "Touch", summary: "Touches.", description: "Touches." },
	schema: z.object({ file: z.string().min(1) }),
	announce: ({ file }: { file: string }) => `Touching ${file}`,
	run: async () => "done",
};
const touch = { ...defineTool(base), name: "touch" };
const reading = { ...touch, isReadOnly: true };
const writing = {
	...defineTool({
		...base,
		permission: ({ file: value }) => ({ mutates: true, arguments: [{ kind: "path", value }], title: "To" }),
	}),
	name: "touch",
};
const rule: PermissionRule = {
	...ruleFor("deny", "path", "/a/**"),
	...{ id: "r1", tool: "touch", scope: "session", owner: "s" },
};
const asked = await requestFor(writing, { file: "/a/b" }, from);

const refusal = (message: RegExp) => ({ code: "NOT_ALLOWED", message });

for (const [title, tool, file, expected] of [
	["a read-only tool changes nothing", reading, "a", { title: "Touching a", arguments: [], mutates: false }],
	["a tool that does not say whether it only reads may change something", touch, "a", { mutates: true }],
	["it says", writing, "/a/b", { title: "To", mutates: true, arguments: [{ kind: "path", value: "/a/b" }] }],
] as const)
	test(title, async () => {
		const request = await requestFor(tool, { file }, from);
		assert.partialDeepStrictEqual(request, { ...from, tool: "touch", ...expected });
	});

test("a wrong input is refused before anybody is asked", async () => {
	for (const tool of [reading, writing])
		await assert.rejects(requestFor(tool, {}, from), { code: "BAD_INPUT" });
});

async function admit(permissions: Permissions, answer?: PersonsAnswer): Promise<void> {
	const { signal } = new AbortController();
	const ruling = await decide(permissions, asked, { ask: async () => answer, by: "person", signal });
	requireAllowed(ruling, "ask first");
}
const given: PersonsAnswer = { kind: "once" };

test("what is denied is refused with the rule, whatever a person said", async () => {
	const { permissions, decisions } = fakePermissions(() => ({ effect: "deny", rule }));
	await assert.rejects(admit(permissions, given), refusal(/a rule that the user made.*touch, path “\/a/));
	assert.deepEqual(decisions, [{ request: asked, effect: "deny", by: "rule", rule: "r1" }]);
	const managed = fakePermissions(() => ({ effect: "deny", rule: { ...rule, origin: "settings" } }));
	await assert.rejects(admit(managed.permissions, given), refusal(/copilot-LD\.permissions\.rules/));
});

/** A call of the tool behind a door. */
function behind(admit: Admit) {
	const [tool] = withSteps([writing], { admit });
	return async () => tool?.run({ file: "/a/b" }, { signal: new AbortController().signal });
}

test("where nobody can be asked, what wants a person is refused in words that say how to allow it", async () => {
	const { permissions, decisions } = fakePermissions(() => ({ effect: "ask" }));
	const call = behind(admission(permissions, from));
	await assert.rejects(call, refusal(/\{"effect":"allow","channel":"mcp","tool":"touch"\}/));
	assert.deepEqual(decisions, [{ request: asked, effect: "deny", by: "default" }]);
});

test("what a person was asked about before runs once", async () => {
	const { permissions, decisions } = fakePermissions(() => ({ effect: "ask" }));
	const consents = createConsents();
	const call = behind(admission(permissions, { ...from, session: "s" }, { consents }));
	consents.give("another", writing.name);
	await assert.rejects(call, refusal(/nobody can be asked/));
	consents.give("s", writing.name);
	assert.deepEqual(await call(), { text: "done" });
	await assert.rejects(call, refusal(/nobody can be asked/));
	consents.give("s", writing.name);
	consents.forget("s");
	assert.equal(consents.take("s", writing.name), false);
	const actual = decisions.map(({ effect, by }) => `${effect} by ${by}`);
	assert.deepEqual(actual, ["deny by default", "allow by person", "deny by default"]);
});

test("where a person can be asked, a tool behind the door asks, and the model reads why they denied it", async () => {
	const { permissions, decisions } = fakePermissions(() => ({ effect: "ask" }));
	const ask = async (): Promise<PersonsAnswer> => ({ kind: "deny", reason: "not that file" });
	const call = behind(admission(permissions, from, { ask }));
	await assert.rejects(call, refusal(/The user did not allow this call\. Their reason: “not that file”/));
	assert.deepEqual(decisions, [{ request: asked, effect: "deny", by: "person" }]);
});

test("a rule in words names what it names", () => {
	assert.equal(inWords(describeRule(rule)), "deny, tool touch, path “/a/**”, in this session");
	assert.equal(inWords(describeRule({ ...ALL, effect: "ask" })), "ask, everything");
});

const workspaceUri = "file:///w";

function read(user: unknown, ...workspace: unknown[]) {
	return managedRulesOf({ user, workspace, workspaceUri });
}

test("a rule of the settings is a rule everywhere, with what it names", () => {
	const { rules, problems } = read([
		{ effect: "deny", door: "mcp", tool: "query_*" },
		{ effect: "allow", command: "git status" },
	]);
	assert.deepEqual(problems, []);
	assertMapped(rules, ({ id: _, ...rule }) => rule, [
		{ effect: "deny", scope: "always", door: "mcp", tool: "query_*", origin: "settings", createdAt: 0 },
		{
			...{ effect: "allow", scope: "always", origin: "settings", createdAt: 0 },
			argument: { kind: "command", value: "git status" },
		},
	]);
	assert.notEqual(rules[0]?.id, rules[1]?.id);
});

test("a rule keeps its id when others come before it", () => {
	const rule = { effect: "deny", tool: "a" };
	assert.equal(read([rule]).rules[0]?.id, read([{ effect: "ask" }, rule]).rules[1]?.id);
});

test("a workspace's settings ask and deny in that workspace, and never allow", () => {
	const { rules, problems } = read(undefined, [{ effect: "deny", tool: "a" }], [{ effect: "allow" }]);
	const actual = rules.map(({ effect, scope, owner }) => [effect, scope, owner]);
	assert.deepEqual(actual, [["deny", "workspace", workspaceUri]]);
	assert.match(problems.join(), /Only your user settings can/);
});

test("no setting is no rule", () => {
	assert.deepEqual(read(undefined), { rules: [], problems: [] });
	assert.deepEqual(read([], null, []), { rules: [], problems: [] });
});

const wrong: [unknown, RegExp][] = [
	["deny everything", /list/],
	[[7], /Rule 1: it must be an object/],
	[[{ tool: "a" }], /effect must be/],
	[[{ effect: "forbid" }], /effect must be/],
	[[{ effect: "deny", door: "back" }], /channel must be/],
	[[{ effect: "deny", tool: 1 }], /tool must be a name/],
	[[{ effect: "deny", tol: "a" }], /not “tol”/],
	[[{ effect: "deny", command: "a", path: "b" }], /one of/],
	[[{ effect: "deny", command: "a | b" }], /not the beginning of one command/],
	[[{ effect: "deny", path: "../x" }], /without “\.\.”/],
	[[{ effect: "deny", host: "http://x" }], /not a host/],
	[[{ effect: "deny", host: 5 }], /host must be a text/],
];

for (const [value, message] of wrong)
	test(`where ${JSON.stringify(value)} stands for rules everything is asked about`, () => {
		const { rules, problems } = read(value);
		assert.match(problems.join(), message);
		const actual = rules.map(({ effect, tool, argument, scope }) => ({ effect, tool, argument, scope }));
		assert.deepEqual(actual, [{ effect: "ask", tool: undefined, argument: undefined, scope: "always" }]);
	});

test("a program outside of VS Code follows the rules of the window with its folder", async (t) => {
	const folder = await makeFolder(t);
	const request: PermissionRequest = {
		...{ door: "mcp", tool: "search_knowledge", title: "Search", arguments: [] },
		...{ workspace: workspaceUri, mutates: false },
	};
	const outside = openPermissionsOutside(folder, workspaceUri);
	assert.equal((await outside.verdictFor(request)).effect, "allow");
	await writeSettingsCopy(folder, { user: [{ effect: "deny" }], workspace: [], workspaceUri });
	assert.equal((await outside.verdictFor(request)).effect, "deny");
	assert.equal((await openPermissionsOutside(folder, "file:///v").verdictFor(request)).effect, "allow");
	const [copy = ""] = await readdir(folder);
	await writeFile(join(folder, copy), "{");
	await assert.rejects(outside.verdictFor(request), { code: "PERMISSIONS_UNREADABLE" });
});

test("a rule names its channel, by the word of today or by that of earlier versions", () => {
	const read = (rule: object) => managedRulesOf({ user: [rule], workspace: [], workspaceUri: "" });
	const [today] = read({ effect: "deny", channel: "mcp", tool: "ask" }).rules;
	const [before] = read({ effect: "deny", door: "mcp", tool: "ask" }).rules;
	assert.equal(today?.door, "mcp");
	assert.deepEqual(today, before);
	for (const wrong of [{ channel: "web" }, { channel: "mcp", door: "mcp" }, { channel: "" }])
		assert.equal(read({ effect: "deny", ...wrong }).problems.length, 1);
});
