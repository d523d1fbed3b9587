import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallArgument, Effect, PermissionRule } from "../../../src/core/permission/permission.ts";
import { argumentsIn } from "../../../src/permissions/arguments/callArguments.ts";
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
	assert.deepEqual(found({ url: "https://evil.io:8443/x" }), [
		"host evil.io:8443",
		"text https://evil.io:8443/x",
	]);
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
	for (const input of [
		{ query: "lamps" },
		{ path: "a.txt" },
		{ command: "ls" },
		{ url: "https://good.io" },
		{},
	])
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
