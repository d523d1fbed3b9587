import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { withSteps } from "../../src/agent/call/toolCall.ts";
import type { PermissionRule, Verdict } from "../../src/core/permission/permission.ts";
import { admission, requestFor } from "../../src/permissions/admission.ts";
import { createConsents } from "../../src/permissions/consents.ts";
import { managedRulesOf } from "../../src/permissions/managedRules.ts";
import { openPermissionsOutside, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { defineTool } from "../../src/tools/definition/defineTool.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { makeFolder } from "../support/folder.ts";
import { ALL, requestOf, ruleFor } from "./judging.ts";

const from = { channel: "mcp", workspace: "" } as const;
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
	tool: "touch",
	scope: "session",
	owner: "s",
};

const ALL_DENIED = { ...ALL, effect: "deny", origin: "settings" } as const;

test("a permission request has the description of its tool, mutates by default, and requires valid input", async () => {
	for (const [tool, file, expected] of [
		[reading, "a", { title: "Touching a", arguments: [], mutates: false }],
		[touch, "a", { mutates: true }],
		[writing, "/a/b", { title: "To", mutates: true, arguments: [{ kind: "path", value: "/a/b" }] }],
	] as const) {
		const request = await requestFor(tool, { file }, from);
		assert.partialDeepStrictEqual(request, { ...from, tool: "touch", ...expected });
		await assert.rejects(requestFor(tool, {}, from), { code: "BAD_INPUT" });
	}
});

/** Returns a call to the tool for which the rules give this verdict. */
function behind(verdict: Verdict, parts: Parameters<typeof admission>[2], session?: string) {
	const fake = createFakePermissions();
	const permissions = { ...fake, verdictFor: async () => verdict };
	const [tool] = withSteps([writing], { admit: admission(permissions, { ...from, session }, parts) });
	const call = async () => tool?.run({ file: "/a/b" }, { signal: new AbortController().signal });
	return { call, decided: () => fake.log.map(({ effect, by }) => `${effect} by ${by}`) };
}

test("the message of a denied call says who denied the call, or how to allow it", async () => {
	const once = async () => ({ kind: "once" }) as const;
	const no = async () => ({ kind: "deny", reason: "not that file" }) as const;
	for (const [verdict, ask, by, message] of [
		[
			{ effect: "deny", rule },
			once,
			"rule",
			/the user made.*\(deny, tool touch, path “\/a\/\*\*”, in this session\)/,
		],
		[{ effect: "deny", rule: ALL_DENIED }, once, "rule", /LD\.permissions\.rules \(deny, everything\)/],
		[{ effect: "ask" }, undefined, "default", /\{"effect":"allow","channel":"mcp","tool":"touch"\}/],
		[{ effect: "ask" }, no, "person", /The user did not allow this call\. Their reason: “not that file”/],
	] as const) {
		const { call, decided } = behind(verdict, { ask });
		await assert.rejects(call, { code: "NOT_ALLOWED", message });
		assert.deepEqual(decided(), [`deny by ${by}`]);
	}
});

test("a consent given in advance allows one call of its session", async () => {
	const consents = createConsents();
	const { call, decided } = behind({ effect: "ask" }, { consents }, "s");
	const refused = { code: "NOT_ALLOWED", message: /nobody can be asked/ };
	consents.give("another", writing.name);
	await assert.rejects(call, refused);
	consents.give("s", writing.name);
	assert.deepEqual(await call(), { text: "done" });
	await assert.rejects(call, refused);
	consents.give("s", writing.name);
	consents.forget("s");
	assert.equal(consents.take("s", writing.name), false);
	assert.deepEqual(decided(), ["deny by default", "allow by person", "deny by default"]);
});

const workspaceUri = "file:///w";
const MANAGED = { scope: "always", origin: "settings", createdAt: 0 };

const read = (user: unknown, ...workspace: unknown[]) => managedRulesOf({ user, workspace, workspaceUri });

test("a rule in the settings keeps its fields, and has the same ID at any position", () => {
	const [first, second] = [
		{ effect: "deny", channel: "mcp", tool: "query_*" },
		{ effect: "allow", command: "git status" },
	];
	const { rules, problems } = read([first, second]);
	assert.deepEqual(problems, []);
	assertMapped(rules, ({ id: _, ...rule }) => rule, [
		{ ...MANAGED, effect: "deny", channel: "mcp", tool: "query_*" },
		{ ...MANAGED, effect: "allow", argument: { kind: "command", value: "git status" } },
	]);
	assert.notEqual(rules[0]?.id, rules[1]?.id);
	assert.deepEqual(read([second, first]).rules, rules.toReversed());
	// Earlier versions called the channel `door`.
	assert.deepEqual(read([{ effect: "deny", door: "mcp", tool: "query_*" }]).rules, [rules[0]]);
	for (const none of [undefined, null, []]) assert.deepEqual(read(none, none), { rules: [], problems: [] });
});

test("rules in workspace settings ask and deny in that workspace, and never allow", () => {
	const { rules, problems } = read(undefined, [{ effect: "deny", tool: "a" }], [{ effect: "allow" }]);
	assertMapped(rules, ({ effect, scope, owner }) => `${effect} ${scope} ${owner}`, [
		`deny workspace ${workspaceUri}`,
	]);
	assert.match(problems.join(), /Only your user settings can/);
});

const wrong: [unknown, RegExp][] = [
	["deny everything", /list/],
	[[7], /Rule 1: it must be an object/],
	[[{ tool: "a" }], /effect must be/],
	[[{ effect: "forbid" }], /effect must be/],
	[[{ effect: "deny", channel: "back" }], /channel must be/],
	[[{ effect: "deny", channel: "" }], /channel must be/],
	[[{ effect: "deny", channel: "mcp", door: "mcp" }], /its channel twice/],
	[[{ effect: "deny", tool: 1 }], /tool must be a name/],
	[[{ effect: "deny", tol: "a" }], /not “tol”/],
	[[{ effect: "deny", command: "a", path: "b" }], /one of/],
	[[{ effect: "deny", command: "a | b" }], /not the beginning of one command/],
	[[{ effect: "deny", path: "../x" }], /without “\.\.”/],
	[[{ effect: "deny", host: "http://x" }], /not a host/],
	[[{ effect: "deny", host: 5 }], /host must be a text/],
];

test("an invalid rule in the settings is reported, and every call is asked about", () => {
	for (const [value, message] of wrong) {
		const { rules, problems } = read(value);
		assert.match(problems.join(), message);
		assertMapped(rules, ({ id: _, ...rule }) => rule, [{ effect: "ask", ...MANAGED }]);
	}
});

test("a program outside of VS Code follows the rules of the window that opened its folder", async (t) => {
	const folder = await makeFolder(t);
	const request = requestOf({ channel: "mcp", tool: "search", workspace: workspaceUri, mutates: false });
	const outside = openPermissionsOutside(folder, workspaceUri);
	assert.equal((await outside.verdictFor(request)).effect, "allow");
	await writeSettingsCopy(folder, { user: [{ effect: "deny" }], workspace: [], workspaceUri });
	assert.equal((await outside.verdictFor(request)).effect, "deny");
	assert.equal((await openPermissionsOutside(folder, "file:///v").verdictFor(request)).effect, "allow");
	const [copy = ""] = await readdir(folder);
	await writeFile(join(folder, copy), "{");
	await assert.rejects(outside.verdictFor(request), { code: "PERMISSIONS_UNREADABLE" });
});
