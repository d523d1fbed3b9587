import assert from "node:assert/strict";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CallArgument, Effect, PermissionRule } from "../../../src/core/permission/permission.ts";
import { argumentsIn } from "../../../src/permissions/arguments/callArguments.ts";
import { createPermissions } from "../../../src/permissions/openPermissions.ts";
import { makeFolder } from "../../support/folder.ts";
import { ALL, effectFor, requestOf, ruleFor, ruleOf } from "../judging.ts";

const found = (input: unknown) => argumentsIn(input, "/w").map(({ kind, value }) => `${kind} ${value}`);
const all: PermissionRule = { ...ALL, tool: "server-*" };

function effectOf(input: unknown, kind: CallArgument["kind"], value: string, ...rules: PermissionRule[]) {
	const call = { tool: "server-tool", workspace: "file:///w", arguments: argumentsIn(input, "/w") };
	return effectFor(requestOf(call), all, ruleFor("deny", kind, value), ...rules);
}

test("arguments are found in the input of a tool by name and by form, at any depth", () => {
	for (const [input, ...expected] of [
		[{ path: "a.txt", destination: "/etc/x" }, "path /w/a.txt", "path /etc/x", "text /etc/x"],
		[{ command: "ls", script: "rm x" }, "command ls", "command rm x"],
		[{ deep: [{ er: { sourcePath: "b" } }] }, "path /w/b"],
		[{ command: "rm", args: ["-rf", "a b"] }, "command rm -rf 'a b'", "command rm", "text -rf", "text a b"],
		[{ url: "https://b.io:8443/x" }, "host b.io:8443", "text https://b.io:8443/x"],
		[{ hostname: "evil.io" }, "host evil.io"],
		[{ uri: "file:///etc/x" }, "path /etc/x"],
		[{ files: { "/etc/x": "words" } }, "path /etc/x", "text /etc/x", "text words"],
		[{ to: "src/b", count: 3, sure: true, none: null }, "path /w/src/b", "text src/b"],
		[{ query: "lamps of Skagen" }, "text lamps of Skagen"],
		["rm x", "text rm x"],
		[undefined],
	])
		assert.deepEqual(found(input), expected);
});

/** Inputs by the kind and value of a deny rule. */
type Inputs = Readonly<Record<string, readonly unknown[]>>;

const DENIED: Inputs = {
	"path /etc/**": [
		{ path: "a", destination: "/etc/passwd" },
		{ path: "src/../../etc/x" },
		{ path: "\\etc\\x" },
	],
	"path **/*.pem": [
		...[{ source: "keys/a.pem", target: "b" }, { edits: [{ file: "x.pem" }] }],
		...["key.pem ", "key.pem.", "key.pem::$DATA"].map((path) => ({ path })),
	],
	"path /w/hr/**": [{ path: "h%72/a.md" }, { uri: "file:///w/h%72/a.md" }, { to: "./%68%72/a.md" }],
	"command rm": [{ command: "uptime", script: "rm -rf x" }],
	"command git push": [{ cmd: "git", args: ["-C", ".", "push"] }],
	"host evil.io": [{ url: "https://user@evil.io/x" }],
	"host *.evil.io": [{ endpoints: [{ host: "a.evil.io" }] }],
};

const DOUBTED: Inputs = {
	"command rm": [{ payload: "rm -rf x" }, { code: "import os; os.system('/bin/rm x')" }],
	"command git push": [{ sql: "COPY t TO PROGRAM 'git  push'" }],
	"path **/*.pem": [
		...[{ name: "key.pem" }, { body: "see (file:///w/key.pem)" }],
		...[{ text: "x".repeat(30_000) }, { command: "cat key.pem" }],
	],
	"path src/**": [{ name: "src" }],
	"path /etc/**": [{ mounts: "x:/etc/y:ro" }],
	"host evil.io": [
		{ query: "get http://evil.io/x" },
		{ remote: "git@evil.io:a/b" },
		{ command: "curl evil.io" },
	],
};

const HARMLESS = [{ query: "lamps", path: "a.txt", command: "ls", url: "https://a.io" }];
const FREE: Inputs = { "command rm": HARMLESS, "path **/*.pem": HARMLESS, "host evil.io": HARMLESS };

test("a denied argument is denied in the input of any tool; a text that may mention the argument is asked about", () => {
	for (const [effect, inputs] of Object.entries({ deny: DENIED, ask: DOUBTED, allow: FREE }))
		for (const [denied, all] of Object.entries(inputs)) {
			const [, kind, value = ""] = /^(\w+) (.*)$/.exec(denied) ?? [];
			for (const input of all)
				assert.equal(
					effectOf(input, kind as CallArgument["kind"], value),
					effect,
					JSON.stringify([denied, input]),
				);
		}
});

test("an allow rule for exactly one call overrides a deny rule that may match the call", () => {
	const own = ruleOf("allow", "cat key.pem $");
	assert.equal(effectOf({ command: "cat key.pem" }, "path", "**/*.pem", own), "allow");
	const pem = { ...own, tool: "server-tool", argument: { kind: "path", value: "**/*.pem" } } as const;
	assert.equal(effectOf({ name: "key.pem" }, "path", "**/*.pem", pem), "allow");
});

type Rules = readonly (readonly [Effect, string])[];
type Expected = Partial<Record<Effect, readonly string[]>>;

const skip = process.platform === "win32" && "links need rights there";

/** Judges calls with paths below a new folder with links; `~` in the rules is that folder. */
async function judging(t: TestContext, ...rules: Rules) {
	const home = await realpath(await makeFolder(t));
	const at = (path: string) => join(home, path);
	for (const folder of ["project/src", "outside"]) await mkdir(at(folder), { recursive: true });
	await writeFile(at("outside/key.pem"), "");
	for (const [target, link] of [
		[at("outside"), "project/src/link"],
		["../../outside/new.txt", "project/src/dangling"],
		[at("project"), "alias"],
		[at("circle"), "circle"],
	] as const)
		await symlink(target, at(link));
	const permissions = createPermissions({
		...{ folder: at("rules"), managedRules: () => [], now: () => 0, ignoreCase: false },
	});
	for (const [effect, glob] of rules) {
		const value = glob.replace("~", home);
		await permissions.add({ effect, scope: "always", argument: { kind: "path", value } });
	}
	return async (path: string, workspace = "project"): Promise<Effect> => {
		const args = [{ kind: "path" as const, value: `${home}/${path}` }];
		const request = requestOf({ arguments: args, workspace: pathToFileURL(at(workspace)).href });
		return (await permissions.verdictFor(request)).effect;
	};
}

const LINKS = "src/link/x src/link/key.pem src/dangling src/link/../a src/new/../link/x".split(" ");
const EVERYTHING = ["allow", "**"] as const;

const LINKED: Readonly<Record<string, readonly [rules: Rules, expected: Expected]>> = {
	"an allow rule for a folder does not apply through a link out of the folder": [
		[["allow", "src/**"]],
		{ allow: ["project/src/a.ts"], ask: LINKS.map((path) => `project/${path}`) },
	],
	"a deny rule applies to each path that leads to its folder, also to missing files": [
		[EVERYTHING, ["deny", "~/outside/**"]],
		{
			allow: ["project/src/x"],
			deny: ["outside/x", "project/src/link/x", "project/src/link/a/b", "project/src/dangling"],
		},
	],
	"a deny rule for a link also applies to the target of the link": [
		[EVERYTHING, ["deny", "src/link/**"]],
		{ deny: ["project/src/link/x", "outside/x", "alias/src/link/x"] },
	],
};

for (const [title, [rules, expected]] of Object.entries(LINKED))
	test(title, { skip }, async (t) => {
		const effectOn = await judging(t, ...rules);
		for (const [effect, paths] of Object.entries(expected))
			for (const path of paths) assert.equal(await effectOn(path), effect, path);
	});

test("rules with relative paths apply if the workspace is opened by a link", { skip }, async (t) => {
	const effectOn = await judging(t, ["allow", "src/*.ts"], ["allow", "~/alias/docs/**"]);
	for (const path of ["alias/src/a.ts", "project/src/a.ts", "alias/docs/x"])
		assert.equal(await effectOn(path, "alias"), "allow", path);
	assert.equal(await effectOn("alias/src/link/a.ts", "alias"), "ask");
});

test("a path through a circular link is never allowed", { skip }, async (t) => {
	const effectOn = await judging(t, EVERYTHING);
	await assert.rejects(effectOn("circle/x"), { code: "PERMISSIONS_UNREADABLE" });
});
