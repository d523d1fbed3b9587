import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isFailure } from "../../src/base/failure.ts";
import type { PermissionRequest } from "../../src/core/permission/permission.ts";
import { managedRulesOf } from "../../src/permissions/managedRules.ts";
import { openPermissionsOutside, writeSettingsCopy } from "../../src/permissions/openPermissions.ts";
import { makeFolder } from "../support/folder.ts";

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
	assert.deepEqual(
		rules.map(({ id: _, ...rule }) => rule),
		[
			{ effect: "deny", scope: "always", door: "mcp", tool: "query_*", origin: "settings", createdAt: 0 },
			{
				...{ effect: "allow", scope: "always", origin: "settings", createdAt: 0 },
				argument: { kind: "command", value: "git status" },
			},
		],
	);
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
	await assert.rejects(
		outside.verdictFor(request),
		(thrown) => isFailure(thrown) && thrown.code === "PERMISSIONS_UNREADABLE",
	);
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
