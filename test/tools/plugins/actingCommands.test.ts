import assert from "node:assert/strict";
import { chmod, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { withSteps } from "../../../src/agent/call/toolCall.ts";
import { sendConfined } from "../../../src/base/http/confinedRequest.ts";
import type { PermissionRule } from "../../../src/core/permission/permission.ts";
import { admission } from "../../../src/permissions/admission.ts";
import type { AskPerson } from "../../../src/permissions/decide.ts";
import { verdictOf } from "../../../src/permissions/permissionRules.ts";
import type { HostActions } from "../../../src/tools/plugins/doDeed.ts";
import { createFakePermissions, oneRule } from "../../support/fakePermissions.ts";
import { serveTexts, type TextAnswer } from "../../support/listening.ts";
import { openActing, signal } from "./actingPlugin.ts";

const serve = (t: TestContext) =>
	serveTexts(t, (path) => ANSWERS[path] ?? [200, {}, "It is 12 °C [a.md:1]."]);

const ANSWERS: Readonly<Record<string, TextAnswer>> = {
	"/there": [302, { location: "/here" }, ""],
	"/away": [302, { location: "http://example.com/" }, ""],
	"/round": [302, { location: "/round" }, ""],
	"/near": [302, { location: "//localhost/" }, ""],
	"/image": [200, { "content-type": "image/png" }, "png"],
	"/packed": [200, { "content-encoding": "gzip" }, "gz"],
	"/large": [200, {}, "x".repeat(300_000)],
	"/wrong": [404, {}, "There is [b.md:2] nothing."],
};

test("a command sends requests only to hosts that the plugin names, with escaped values", async (t) => {
	const { asked, port } = await serve(t);
	const { run, tool, request } = await openActing(t, {
		executor: `{ kind: http, method: POST, url: "http://127.0.0.1:${port}/at/{{place}}?q={{place}}", headers: { x-key: "{{key}}" }, body: { place: "{{place}}", days: "{{days}}" } }`,
		parameters: "{ place: { type: string }, days: { type: int, required: false } }",
		hosts: [`127.0.0.1:${port}`],
		config: "{ key: k1 }",
	});
	assert.equal(tool.isReadOnly, false);
	assert.equal(await run({ place: "a/b?c#d&e", days: 3 }), "It is 12 °C (a.md:1).");
	await run({ place: "Ö" });
	assert.deepEqual(asked, [
		'POST /at/a%2Fb%3Fc%23d%26e?q=a%2Fb%3Fc%23d%26e k1{"place":"a/b?c#d&e","days":3}',
		'POST /at/%C3%96?q=%C3%96 k1{"place":"Ö"}',
	]);
	for (const place of ["..", "."]) await assert.rejects(run({ place }), /would be “\.” or “\.\.”/);
	await assert.rejects(run({ place: "a", key: "other" }), /There is no “key”/);
	assert.equal(asked.length, 2);
	const { title, uses, ...shown } = await request({ place: "x" });
	const host = { kind: "host", value: `127.0.0.1:${port}` };
	assert.partialDeepStrictEqual(shown, { tool: "acts:go", mutates: true, arguments: [host] });
	assert.deepEqual(uses, ["plugin_acts_go", "fetch"]);
	assert.match(title, /^acts:go: Send POST http:\/\/127.*\/at\/x\?q=x with “\{"place":"x"\}”$/);
});

test("redirects are not followed, and responses are bounded text", async (t) => {
	const { asked, port } = await serve(t);
	const { run } = await openActing(t, {
		executor: `{ kind: http, url: "http://127.0.0.1:${port}/{{path}}" }`,
		parameters: "{ path: { type: string } }",
		hosts: [`127.0.0.1:${port}`],
	});
	assert.match(await run({ path: "there" }), /12 °C/);
	for (const [path, words] of [
		["away", /redirects to example\.com, and redirects are not followed/],
		["near", /redirects to localhost/],
		["round", /redirects to 127/],
		["image", /not text but image\/png/],
		["packed", /compressed/],
		["large", /larger than 256 kB/],
		["wrong", /answers with 404: There is \(b\.md:2\) nothing\.$/],
	] as const)
		await assert.rejects(run({ path }), { name: "Failure", message: words });
	assert.ok(asked.includes("GET /here "));
});

test("a host name that resolves to this machine is refused unless the plugin names the address, too", async (t) => {
	const { asked, port } = await serve(t);
	const url = `http://localhost:${port}/x`;
	const executor = `{ kind: http, url: "${url}" }`;
	const { run } = await openActing(t, { executor, hosts: [`localhost:${port}`] });
	assert.match(await run(), /12/);
	const get = { method: "GET", headers: {}, timeoutMs: 5000, maxBytes: 1000 } as const;
	const send = (host: string, hosts: readonly string[]) =>
		sendConfined({ ...get, url: new URL(`http://${host}/`), hosts }, signal);
	// A name of this machine other than “localhost”.
	const other = `ip6-localhost:${port}`;
	await assert.rejects(send(other, [other]), /ENOTFOUND|EAI_AGAIN|leads to (?:::1|127\.0\.0\.1), which the/);
	await assert.rejects(send(`127.0.0.1:${port}`, [`localhost:${port}`]), /not among those/);
	await assert.rejects(send(`2130706433:${port}`, [`2130706433:${port}`]), /not among those/);
	assert.equal(asked.length, 1);
});

test("a program gets the arguments unchanged and works in the folder, without our environment's secrets", async (t) => {
	process.env["COPILOT_TEST_SECRET"] = "hidden";
	t.after(() => delete process.env["COPILOT_TEST_SECRET"]);
	const script =
		"process.stdout.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.COPILOT_TEST_SECRET ?? null, require('fs').readFileSync(0, 'utf8')]))";
	const { run, request, folder } = await openActing(t, {
		executor: `{ kind: program, program: node, arguments: [-e, ${JSON.stringify(script)}, --, "{{words}}", "--name={{words}}", "{{more}}", "{{left}}"], input: "in: {{words}}" }`,
		parameters:
			"{ words: { type: string }, more: { type: 'List[string]' }, left: { type: string, required: false } }",
	});
	const words = "a; rm -rf / $(id) `id` \"'[a.md:1]";
	const [given, ...rest] = JSON.parse(await run({ words, more: ["x", "y z"] }));
	const shown = words.replace("[a.md:1]", "(a.md:1)");
	assert.deepEqual(given, [shown, `--name=${shown}`, "x", "y z"]);
	assert.deepEqual(rest, [folder, null, `in: ${shown}`]);
	for (const wrong of ["-rf", "+!id", "--config=/x", "/etc/passwd", "@file"])
		await assert.rejects(run({ words: "a", more: [wrong] }), /would be read as an option/);
	await assert.rejects(run({ words: "a\0b", more: [] }), /contains a NUL character/);
	const asked = await request({ words: "x y", more: [] });
	assert.match(asked.arguments[0]?.value ?? "", /^node -e '.*' -- 'x y' '--name=x y'$/s);
	const says = (...rules: PermissionRule[]) => verdictOf(asked, rules, { ignoreCase: false }).effect;
	const rule = (effect: "allow" | "deny", tool: string, more = {}) =>
		oneRule(tool, { effect, tool, ...more });
	const node = { argument: { kind: "command", value: "node" } };
	assert.equal(says(), "ask");
	// Code in an argument is asked about even if the command is allowed.
	assert.equal(says(rule("allow", "acts:go")), "ask");
	assert.equal(says(rule("allow", "acts:go"), rule("deny", "shell", node)), "deny");
	assert.equal(says(rule("allow", "plugin")), "ask");
});

test("{{folder}} is the plugin's folder, unless a parameter has that name", async (t) => {
	const executor = `{ kind: program, program: node, arguments: [-p, "process.argv.slice(1).join()", "{{folder}}/x", "{{ folder }}"], input: "{{folder}}" }`;
	const { run, own } = await openActing(t, { executor, parameters: "{}" });
	assert.equal(await run({}), `${own}/x,${own}\n`);
	const given = await openActing(t, { executor, parameters: "{ folder: { type: string } }" });
	assert.equal(await given.run({ folder: "mine" }), "mine/x,mine\n");
	await assert.rejects(given.run({ folder: "-rf" }), /would be read as an option/);
});

test("a program that fails, hangs or prints too much is ended; paths must stay in the folder", async (t) => {
	const parameters = "{ code: { type: string } }";
	const node = (more = "") => `{ kind: program, program: node, arguments: [-e, "{{code}}"]${more} }`;
	const { run } = await openActing(t, { executor: node(", timeout: 1"), parameters });
	await assert.rejects(run({ code: "console.error('no'); process.exit(3)" }), /exit code 3\. It says: no/);
	const talking = "const talk = () => process.stdout.write('x'.repeat(9999), talk); talk()";
	const patient = await openActing(t, { executor: node(), parameters });
	const endless = await patient.run({ code: talking });
	assert.match(endless, /x{99}\n\(The program wrote more than 256 kB and was stopped\.\)/s);
	await assert.rejects(run({ code: "setInterval(() => {}, 1000)" }), /longer than 1 s/);
	const left = "require('child_process').spawn('sleep', ['60'], { stdio: 'inherit', detached: true })";
	await assert.rejects(run({ code: left }), /longer than 1 s/);
	const files = await openActing(t, {
		executor: `{ kind: program, program: ./tool.mjs, arguments: ["{{file}}"] }`,
		parameters: "{ file: { type: path } }",
	});
	await writeFile(join(files.own, "tool.mjs"), "#!/usr/bin/env node\nconsole.log(process.argv[2]);");
	if (process.platform !== "win32")
		await assert.rejects(files.run({ file: "a" }), /tool\.mjs is not executable\..* to run: chmod/);
	await chmod(join(files.own, "tool.mjs"), 0o755);
	await symlink(tmpdir(), join(files.folder, "out"));
	await symlink(join(tmpdir(), "not-there"), join(files.folder, "later"));
	assert.equal(await files.run({ file: "docs/a.md" }), "docs/a.md\n");
	for (const file of "../a,a/../..,/etc/passwd,\\\\h\\s,//h/s,C:/a,a:b,a\0,,a/.. /b".split(","))
		await assert.rejects(files.run({ file }), /must be a path within the folder/, file);
	for (const file of ["out/x", "out", "later", "later/x"])
		await assert.rejects(files.run({ file }), /leads out/, file);
	const { arguments: args } = await files.request({ file: "a.md" });
	assert.deepEqual(args.at(-1), { kind: "path", value: join(files.folder, "a.md").replaceAll("\\", "/") });
});

test("an editor command and another extension's tool run exactly as approved", async (t) => {
	const done: unknown[] = [];
	const host: HostActions = {
		runCommand: async (...call) => void done.push(call),
		callTool: async (tool, input) => {
			done.push([tool, input]);
			return "Said [a.md:3].";
		},
	};
	const open = (executor: string) =>
		openActing(t, { executor, parameters: "{ to: { type: string } }" }, host);
	const command = await open('{ kind: vscode, command: other.go, arguments: [{ path: "{{to}}" }, 1] }');
	assert.equal(await command.run({ to: "my/a" }), "It is done, and gave no text.");
	const first = await command.request({ to: "my/a" }, "tools");
	assert.deepEqual(first.arguments, [
		{ kind: "command", value: `other.go '{"path":"my/a"}' 1` },
		{ kind: "path", value: "/kb/my/a" },
	]);
	const tool = await open('{ kind: tool, tool: mcp_mail_send, input: { to: "{{to}}" } }');
	assert.equal(await tool.run({ to: "https://evil.io/x" }), "Said (a.md:3).");
	const second = await tool.request({ to: "https://evil.io/x" }, "tools");
	assert.deepEqual(second.arguments[0], { kind: "host", value: "evil.io" });
	assert.deepEqual(second.uses, ["plugin_acts_go", "mcp_mail_send"]);
	assert.deepEqual(done, [
		["other.go", [{ path: "my/a" }, 1]],
		["mcp_mail_send", { to: "https://evil.io/x" }],
	]);
	const none = await openActing(t, { executor: "{ kind: vscode, command: other.go }" });
	await assert.rejects(none.run(), /only in VS Code/);
});

test("the approved definition runs even if the plugin's file changes in the meantime", async (t) => {
	const done: unknown[] = [];
	const runCommand: HostActions["runCommand"] = async (name) => void done.push(name);
	const host = { runCommand, callTool: () => assert.fail() };
	const { plugin, change } = await openActing(t, { executor: "{ kind: vscode, command: harmless }" }, host);
	const input = { plugin: "acts", command: "go" };
	const pinned = await plugin.pinned?.(input, signal);
	const permissions = createFakePermissions();
	const seen: string[] = [];
	const ask: AskPerson = async ({ request }) => {
		seen.push(request.title);
		change({ executor: "{ kind: vscode, command: harmful }" });
		return { kind: "once" };
	};
	const admit = admission(permissions, { channel: "mcp", workspace: "" }, { ask });
	const [admitted] = withSteps([plugin], { admit });
	await admitted?.run(input, { signal });
	assert.deepEqual([seen, done], [["acts:go: Run the command “harmless” of VS Code"], ["harmless"]]);
	assert.notEqual(pinned?.definition, (await plugin.pinned?.(input, signal))?.definition);
	assert.equal(admitted?.pinned, undefined);
	await admitted?.run(input, { signal });
	assert.deepEqual(done, ["harmless", "harmful"]);
});

test("a command that calls itself without end is stopped", async (t) => {
	let deep = 0;
	const runCommand = async () => {
		deep++;
		return acts.run();
	};
	const host: HostActions = { runCommand, callTool: () => assert.fail() };
	const acts = await openActing(t, { executor: "{ kind: vscode, command: round }" }, host);
	await assert.rejects(acts.run(), /acts:go has called itself 8 times/);
	assert.equal(deep, 8);
});
