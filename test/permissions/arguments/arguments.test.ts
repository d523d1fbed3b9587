import assert from "node:assert/strict";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { CallArgument, Effect, PermissionRule } from "../../../src/core/permission/permission.ts";
import { argumentsIn } from "../../../src/permissions/arguments/callArguments.ts";
import { onDisk } from "../../../src/permissions/arguments/realPaths.ts";
import { createPermissions } from "../../../src/permissions/openPermissions.ts";
import { makeFolder } from "../../support/folder.ts";
import { ALL, effectFor, requestOf, ruleFor, ruleOf } from "../judging.ts";

const found = (input: unknown) => argumentsIn(input, "/w").map(({ kind, value }) => `${kind} ${value}`);
const all: PermissionRule = { ...ALL, tool: "server-*" };

function effectOf(
	input: unknown,
	kind: CallArgument["kind"],
	value: string,
	...rules: PermissionRule[]
): Effect {
	const call = { tool: "server-tool", workspace: "file:///w", arguments: argumentsIn(input, "/w") };
	return effectFor(requestOf(call), all, ruleFor("deny", kind, value), ...rules);
}

test("what a tool's input names is found by its name and by its look, however deep it stands", () => {
	assert.deepEqual(found({ path: "a.txt", destination: "/etc/x" }), [
		...["path /w/a.txt", "path /etc/x", "text /etc/x"],
	]);
	assert.deepEqual(found({ command: "ls", script: "rm x" }), ["command ls", "command rm x"]);
	assert.deepEqual(found({ deep: [{ er: { sourcePath: "b" } }] }), ["path /w/b"]);
	assert.deepEqual(found({ command: "rm", args: ["-rf", "a b"] }).slice(0, 1), ["command rm -rf 'a b'"]);
	assert.deepEqual(found({ url: "https://b.io:8443/x" }), ["host b.io:8443", "text https://b.io:8443/x"]);
	assert.deepEqual(found({ hostname: "evil.io" }), ["host evil.io"]);
	assert.deepEqual(found({ uri: "file:///etc/x" }), ["path /etc/x"]);
	assert.deepEqual(found({ files: { "/etc/x": "words" } }), ["path /etc/x", "text /etc/x", "text words"]);
	assert.deepEqual(found({ to: "src/b", count: 3, sure: true, none: null }), ["path /w/src/b", "text src/b"]);
	assert.deepEqual(found({ query: "lamps of Skagen" }), ["text lamps of Skagen"]);
	assert.deepEqual(found("rm x"), ["text rm x"]);
	assert.deepEqual(found(undefined), []);
});

const denied: [unknown, CallArgument["kind"], string][] = [
	[{ path: "a", destination: "/etc/passwd" }, "path", "/etc/**"],
	[{ source: "keys/a.pem", target: "b" }, "path", "**/*.pem"],
	[{ edits: [{ file: "x.pem" }] }, "path", "**/*.pem"],
	[{ path: "src/../../etc/x" }, "path", "/etc/**"],
	[{ path: "key.pem " }, "path", "**/*.pem"],
	[{ path: "key.pem." }, "path", "**/*.pem"],
	[{ path: "key.pem::$DATA" }, "path", "**/*.pem"],
	[{ path: "\\etc\\x" }, "path", "/etc/**"],
	[{ command: "uptime", script: "rm -rf x" }, "command", "rm"],
	[{ cmd: "git", args: ["-C", ".", "push"] }, "command", "git push"],
	[{ url: "https://user@evil.io/x" }, "host", "evil.io"],
	[{ endpoints: [{ host: "a.evil.io" }] }, "host", "*.evil.io"],
];

for (const [input, kind, value] of denied)
	test(`denying the ${kind} ${value} denies ${JSON.stringify(input)} to every tool`, () => {
		assert.equal(effectOf(input, kind, value), "deny");
	});

const doubted: [unknown, CallArgument["kind"], string][] = [
	[{ payload: "rm -rf x" }, "command", "rm"],
	[{ code: "import os; os.system('/bin/rm x')" }, "command", "rm"],
	[{ sql: "COPY t TO PROGRAM 'git  push'" }, "command", "git push"],
	[{ name: "key.pem" }, "path", "**/*.pem"],
	[{ name: "src" }, "path", "src/**"],
	[{ body: "see (file:///w/key.pem)" }, "path", "**/*.pem"],
	[{ mounts: "x:/etc/y:ro" }, "path", "/etc/**"],
	[{ query: "get http://evil.io/x" }, "host", "evil.io"],
	[{ remote: "git@evil.io:a/b" }, "host", "evil.io"],
	[{ text: "x".repeat(30_000) }, "path", "**/*.pem"],
	[{ command: "cat key.pem" }, "path", "**/*.pem"],
	[{ command: "curl evil.io" }, "host", "evil.io"],
];

for (const [input, kind, value] of doubted)
	test(`denying the ${kind} ${value} has ${JSON.stringify(input).slice(0, 60)} asked about`, () => {
		assert.equal(effectOf(input, kind, value), "ask");
	});

test("what names nothing that is denied is as free as it was", () => {
	for (const input of [{ query: "lamps" }, { path: "a.txt" }, { command: "ls" }, { url: "https://a.io" }, {}])
		for (const [kind, value] of [
			["command", "rm"],
			["path", "**/*.pem"],
			["host", "evil.io"],
		] as const)
			assert.equal(effectOf(input, kind, value), "allow", JSON.stringify(input));
});

test("a rule that allows just this is the answer to what a rule for all may mean", () => {
	const own = ruleOf("allow", "cat key.pem $");
	assert.equal(effectOf({ command: "cat key.pem" }, "path", "**/*.pem", own), "allow");
	const pem = { ...own, tool: "server-tool", argument: { kind: "path", value: "**/*.pem" } } as const;
	assert.equal(effectOf({ name: "key.pem" }, "path", "**/*.pem", pem), "allow");
});

const skip = process.platform === "win32" && "links need rights there";

async function open(t: TestContext) {
	const home = await realpath(await makeFolder(t));
	const at = (path: string) => join(home, path);
	for (const folder of ["project/src", "outside"]) await mkdir(at(folder), { recursive: true });
	await writeFile(at("outside/key.pem"), "");
	await symlink(at("outside"), at("project/src/link"));
	await symlink("../../outside/new.txt", at("project/src/dangling"));
	await symlink(at("project"), at("alias"));
	await symlink(at("circle"), at("circle"));
	const permissions = createPermissions({
		...{ folder: at("rules"), managedRules: () => [], now: () => 0, ignoreCase: false },
	});
	const requestFor = (path: string, workspace = "project") => ({
		...({ door: "cli", tool: "edit", title: "", mutates: true } as const),
		arguments: [{ kind: "path" as const, value: path }],
		workspace: pathToFileURL(at(workspace)).href,
	});
	const effectOn = async (path: string, workspace?: string): Promise<Effect> =>
		(await permissions.verdictFor(requestFor(path, workspace))).effect;
	const add = (effect: Effect, value: string) =>
		permissions.add({ effect, scope: "always", argument: { kind: "path", value } });
	return { at, add, effectOn, requestFor };
}

test("what is allowed in a folder is not allowed through a link that leads out", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "src/**");
	assert.equal(await effectOn(at("project/src/a.ts")), "allow");
	for (const path of ["src/link/x", "src/link/key.pem", "src/dangling", "src/link/../a", "src/new/../link/x"])
		assert.equal(await effectOn(`${at("project")}/${path}`), "ask", path);
});

test("what is denied is denied by each of its names, also what is not there yet", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await add("deny", `${at("outside")}/**`);
	for (const path of ["outside/x", "project/src/link/x", "project/src/link/a/b", "project/src/dangling"])
		assert.equal(await effectOn(at(path)), "deny", path);
	assert.equal(await effectOn(at("project/src/x")), "allow");
});

test("a deny that names a link holds where the link leads, and by the link", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await add("deny", "src/link/**");
	for (const path of ["project/src/link/x", "outside/x", "alias/src/link/x"])
		assert.equal(await effectOn(at(path)), "deny", path);
});

test("a window whose folder is a link has the rules of that folder", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "src/*.ts");
	await add("allow", `${at("alias")}/docs/**`);
	for (const path of ["alias/src/a.ts", "project/src/a.ts", "alias/docs/x"])
		assert.equal(await effectOn(at(path), "alias"), "allow", path);
	assert.equal(await effectOn(at("alias/src/link/a.ts"), "alias"), "ask");
});

test("a path says where it is on the disk, and how it was written", { skip }, async (t) => {
	const { at, requestFor } = await open(t);
	const { arguments: args } = await onDisk(requestFor(at("project/src/link/x")));
	assert.deepEqual(args, [{ kind: "path", value: at("outside/x"), alias: at("project/src/link/x") }]);
	assert.deepEqual((await onDisk(requestFor("C:/x"))).arguments[0]?.value, "C:/x");
});

test("a path that nobody can follow is allowed to nobody", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await assert.rejects(effectOn(at("circle/x")), { code: "PERMISSIONS_UNREADABLE" });
});
