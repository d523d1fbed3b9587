import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Decision, Permissions } from "../../src/core/permission/permission.ts";
import { createPermissions, createStoredPermissions } from "../../src/permissions/openPermissions.ts";
import { createAuditLog } from "../../src/permissions/records/auditLog.ts";
import { makeFolder } from "../support/folder.ts";
import { DAY, managed, open, request } from "./folderOfRules.ts";

const idsOf = async (permissions: Permissions) => (await permissions.rules()).map(({ rule }) => rule.id);

test("a folder with nothing in it asks about what may change something", async (t) => {
	const { permissions, folder } = await open(t);
	assert.deepEqual(await permissions.verdictFor(request), { effect: "ask" });
	assert.deepEqual(await permissions.rules(), []);
	assert.deepEqual(await permissions.decisions({ limit: 10 }), []);
	assert.deepEqual(await readdir(folder), []);
});

test("a rule that was added decides, outlasts the program, and is gone when it is revoked", async (t) => {
	const { permissions, reopen } = await open(t);
	const added = await permissions.add({ effect: "allow", scope: "always", tool: "shell" });
	assert.deepEqual([added.origin, added.createdAt], ["person", 1000]);
	assert.deepEqual(await reopen().verdictFor(request), { effect: "allow", rule: added });
	await reopen().revoke(added.id);
	assert.deepEqual(await permissions.verdictFor(request), { effect: "ask" });
	await assert.rejects(permissions.revoke(added.id), { code: "NOT_FOUND" });
});

test("the same rule twice is one rule", async (t) => {
	const { permissions } = await open(t);
	const rule = { effect: "deny", scope: "always", argument: { kind: "host", value: "*.io" } } as const;
	assert.equal((await permissions.add(rule)).id, (await permissions.add({ ...rule })).id);
	assert.equal((await permissions.rules()).length, 1);
});

test("rules that say nothing are refused with words", async (t) => {
	const { permissions, folder } = await open(t);
	const base = { effect: "allow", scope: "always" } as const;
	for (const rule of [
		{ ...base, scope: "once" as const },
		{ ...base, scope: "session" as const },
		{ ...base, scope: "workspace" as const },
		{ ...base, argument: { kind: "command" as const, value: "git status; rm" } },
		{ ...base, argument: { kind: "command" as const, value: " " } },
		{ ...base, argument: { kind: "path" as const, value: "/a/**/../b" } },
		{ ...base, argument: { kind: "host" as const, value: "https://a.io/x" } },
	])
		await assert.rejects(permissions.add(rule), { code: "BAD_INPUT" }, JSON.stringify(rule));
	assert.deepEqual(await readdir(folder), []);
});

test("rules of the settings come first and cannot be revoked or overridden", async (t) => {
	const { permissions } = await open(t, [managed]);
	const asked = { ...request, tool: "delete_all" };
	await permissions.add({ effect: "allow", scope: "always", tool: "delete_all" });
	assert.deepEqual(await permissions.verdictFor(asked), { effect: "deny", rule: managed });
	const [first, second, ...others] = await permissions.rules();
	assert.deepEqual([first?.rule.origin, second?.rule.origin, others], ["settings", "person", []]);
	await assert.rejects(permissions.revoke(managed.id), { code: "BAD_INPUT" });
});

test("decisions come back newest first, by time, number and words", async (t) => {
	const { permissions, clock } = await open(t);
	for (const [time, title] of [
		[10, "Run git push"],
		[20, "Read NOTES.md"],
		[30, "Run ls"],
	] as const) {
		clock.time = time;
		await permissions.record({ request: { ...request, title }, effect: "deny", by: "person" });
	}
	const times = async (query: Parameters<typeof permissions.decisions>[0]) =>
		(await permissions.decisions(query)).map(({ at }) => at);
	assert.deepEqual(await times({ limit: 10 }), [30, 20, 10]);
	assert.deepEqual(await times({ limit: 2 }), [30, 20]);
	assert.deepEqual(await times({ limit: 10, since: 20 }), [30, 20]);
	assert.deepEqual(await times({ limit: 10, text: "notes.md" }), [20]);
	assert.deepEqual(await times({ limit: 10, text: "PUSH" }), [30, 20, 10]);
});

test("a rule tells when it decided last", async (t) => {
	const { permissions, clock } = await open(t);
	const { id } = await permissions.add({ effect: "deny", scope: "always" });
	for (clock.time of [2000, 3000])
		await permissions.record({ request, effect: "deny", by: "rule", rule: id });
	assert.equal((await permissions.rules())[0]?.lastUsedAt, 3000);
});

test("a preview shows what a rule would have changed since then, and writes nothing", async (t) => {
	const { permissions, clock } = await open(t);
	const decide = async (at: number, effect: "allow" | "deny", by: "person" | "rule") => {
		clock.time = at;
		await permissions.record({ request: { ...request, title: `at ${at}` }, effect, by });
	};
	await decide(DAY, "allow", "person");
	await decide(2 * DAY, "deny", "person");
	await decide(3 * DAY, "deny", "rule");
	await decide(4 * DAY, "allow", "rule");
	const preview = async (effect: "allow" | "ask" | "deny", since = 0) => {
		const argument = { kind: "command", value: "git" } as const;
		const changed = await permissions.preview({ effect, scope: "always", argument }, since);
		return changed.map(({ at }) => at / DAY);
	};
	assert.deepEqual(await preview("allow"), [3, 2, 1]);
	assert.deepEqual(await preview("deny"), [4, 2, 1]);
	assert.deepEqual(await preview("ask"), [4, 3]);
	assert.deepEqual(await preview("allow", 2 * DAY), [3, 2]);
	await permissions.add({ effect: "deny", scope: "always", argument: { kind: "command", value: "git" } });
	assert.deepEqual(await preview("allow"), []);
	assert.equal((await permissions.rules()).length, 1);
});

test("what a crash left half-written of an allow is passed over, and what is written next stays", async (t) => {
	const { permissions, folder, reopen } = await open(t);
	const first = await permissions.add({ effect: "allow", scope: "always", tool: "shell" });
	const path = join(folder, "rules.jsonl");
	await appendFile(path, `{"kind":"added","rule":{"effect":"allow","scope":"al`);
	assert.equal((await permissions.rules()).length, 1);
	const second = await reopen().add({ effect: "deny", scope: "always", tool: "other" });
	for (const opened of [permissions, reopen()]) assert.deepEqual(await idsOf(opened), [first.id, second.id]);
});

test("where the files cannot be read or written nothing is allowed", async (t) => {
	const folder = await makeFolder(t);
	const path = join(folder, "file");
	await writeFile(path, "");
	const permissions = createPermissions({
		...{ folder: path, managedRules: () => [], now: () => 0, ignoreCase: false },
	});
	await assert.rejects(permissions.verdictFor(request), { code: "PERMISSIONS_UNREADABLE" });
	await assert.rejects(permissions.record({ request, effect: "allow", by: "person" }), {
		code: "PERMISSIONS_UNREADABLE",
	});
});

test("only their person can read the files", {
	skip: process.platform === "win32" && "Windows has no such modes",
}, async (t) => {
	const { permissions, folder } = await open(t);
	await permissions.record({ request, effect: "allow", by: "person" });
	assert.equal((await stat(join(folder, "audit.jsonl"))).mode & 0o077, 0);
});

test("a full log is followed by a new one, and what is older than 90 days goes with its file", async (t) => {
	const folder = await makeFolder(t);
	const log = createAuditLog(folder, 600);
	const decide = (day: number): Decision => ({ at: day * DAY, request, effect: "allow", by: "person" });
	for (let day = 1; day <= 120; day++) await log.append(decide(day));
	const lines = await Array.fromAsync(log.newestFirst());
	const days = lines.map((line) => ("at" in line ? line.at / DAY : Number.NaN));
	assert.deepEqual(
		days,
		Array.from({ length: days.length }, (_, index) => 120 - index),
	);
	assert.ok(days.length >= 90 && days.length < 100, `${days.length} days`);
	assert.ok((await readdir(folder)).length > 10);
});

test("two processes that write at once and are killed lose nothing that was told to be on the disk", async (t) => {
	const { folder, reopen } = await open(t);
	const names = ["a", "b"];
	const told = new Map<string, number>();
	const runs = names.map(async (name) => {
		const child = fork(new URL("./appendProgram.ts", import.meta.url), [folder, name]);
		const enough = Promise.withResolvers<void>();
		child.on("message", (index: number) => {
			told.set(name, index);
			if (index === 30) enough.resolve();
		});
		const ended = once(child, "exit");
		// One that ends by itself has told what it wrote, too.
		await Promise.race([enough.promise, ended]);
		child.kill("SIGKILL");
		await ended;
	});
	await Promise.all(runs);
	const permissions = reopen();
	const rules = new Set((await permissions.rules()).map(({ rule }) => rule.tool));
	const decisions = await permissions.decisions({ limit: 10_000 });
	for (const name of names)
		for (let index = 0; index <= (told.get(name) ?? 0); index++) {
			assert.ok(rules.has(`${name}-${index}`), `${name}-${index}`);
			assert.ok(decisions.some(({ request: { tool, title } }) => tool === name && title === `${index}`));
		}
	const text = await readFile(join(folder, "rules.jsonl"), "utf8");
	assert.doesNotMatch(text, /\}\{/);
});

test("cleared rules decide nothing any more in any window, damaged ones too, and a cleared log is empty", async (t) => {
	const { permissions, folder, reopen } = await open(t, [managed]);
	const stored = createStoredPermissions(folder);
	const signal = new AbortController().signal;
	const none = { items: 0, bytes: 0 };
	assert.deepEqual(await stored.sizes(signal), { rules: none, decisions: none });
	await permissions.add({ effect: "deny", scope: "always", tool: "shell" });
	await permissions.record({ request, effect: "deny", by: "rule" });
	const { rules, decisions } = await stored.sizes(signal);
	const actual = [rules.items, rules.bytes > 50, decisions.items, decisions.bytes > 50];
	assert.deepEqual(actual, [1, true, 1, true]);
	await stored.clear("decisions", signal);
	assert.deepEqual(await permissions.decisions({ limit: 9 }), []);
	assert.equal((await permissions.verdictFor(request)).effect, "deny");
	await appendFile(join(folder, "rules.jsonl"), "damaged\n");
	await assert.rejects(permissions.rules(), { code: "PERMISSIONS_UNREADABLE" });
	await stored.clear("rules", signal);
	for (const window of [permissions, reopen()]) {
		assert.deepEqual(await idsOf(window), [managed.id]);
		assert.equal((await window.verdictFor(request)).effect, "ask");
	}
	await permissions.add({ effect: "allow", scope: "always", tool: "other" });
	assert.equal((await reopen().rules()).length, 2);
});
