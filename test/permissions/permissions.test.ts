import assert from "node:assert/strict";
import { appendFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Decision, Effect, Permissions } from "../../src/core/permission/permission.ts";
import { createStoredPermissions } from "../../src/permissions/openPermissions.ts";
import { createAuditLog } from "../../src/permissions/records/auditLog.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { makeFolder } from "../support/folder.ts";
import { times } from "../support/times.ts";
import { DAY, managed, open, permissionsIn, request } from "./judging.ts";

const idsOf = async (permissions: Permissions) => (await permissions.rules()).map(({ rule }) => rule.id);

test("an added rule applies at once and after a restart, is stored once, and can be revoked", async (t) => {
	const { permissions, folder, reopen } = await open(t);
	assert.deepEqual(await permissions.verdictFor(request), { effect: "ask" });
	assert.deepEqual([await permissions.rules(), await permissions.decisions({ limit: 10 })], [[], []]);
	assert.deepEqual(await readdir(folder), []);
	const rule = { effect: "allow", scope: "always", argument: { kind: "command", value: "git" } } as const;
	const added = await permissions.add(rule);
	assert.deepEqual(await permissions.add({ ...rule }), added);
	assert.deepEqual(await idsOf(permissions), [added.id]);
	assert.deepEqual([added.origin, added.createdAt], ["person", 1000]);
	assert.deepEqual(await reopen().verdictFor(request), { effect: "allow", rule: added });
	await reopen().revoke(added.id);
	assert.deepEqual(await permissions.verdictFor(request), { effect: "ask" });
	await assert.rejects(permissions.revoke(added.id), { code: "NOT_FOUND" });
});

test("adding an invalid rule fails and stores nothing", async (t) => {
	const { permissions, folder } = await open(t);
	for (const part of [
		{ scope: "once" },
		{ scope: "session" },
		{ scope: "workspace" },
		{ argument: { kind: "command", value: "git status; rm" } },
		{ argument: { kind: "command", value: " " } },
		{ argument: { kind: "path", value: "/a/**/../b" } },
		{ argument: { kind: "host", value: "https://a.io/x" } },
	] as const) {
		const adding = permissions.add({ effect: "allow", scope: "always", ...part });
		await assert.rejects(adding, { code: "BAD_INPUT" }, JSON.stringify(part));
	}
	assert.deepEqual(await readdir(folder), []);
});

test("rules in the settings are listed first and can be neither revoked nor overridden", async (t) => {
	const { permissions } = await open(t, [managed]);
	const asked = { ...request, tool: "delete_all" };
	await permissions.add({ effect: "allow", scope: "always", tool: "delete_all" });
	assert.deepEqual(await permissions.verdictFor(asked), { effect: "deny", rule: managed });
	assertMapped(await permissions.rules(), ({ rule }) => rule.origin, ["settings", "person"]);
	await assert.rejects(permissions.revoke(managed.id), { code: "BAD_INPUT" });
});

test("decisions are listed newest first, filtered by time, number and words, and date the last use of a rule", async (t) => {
	const { permissions, clock, folder } = await open(t);
	const { id: rule } = await permissions.add({ effect: "deny", scope: "always" });
	const long = { kind: "text", value: "x".repeat(9000) } as const;
	for (const [time, title] of [
		[10, "Run git push"],
		[20, "Read NOTES.md"],
		[30, "Run ls"],
	] as const) {
		clock.time = time;
		const asked = { ...request, title, arguments: [...request.arguments, long] };
		await permissions.record({ request: asked, effect: "deny", by: "rule", rule });
	}
	for (const [query, expected] of [
		[{ limit: 10 }, [30, 20, 10]],
		[{ limit: 2 }, [30, 20]],
		[{ limit: 10, since: 20 }, [30, 20]],
		[{ limit: 10, text: "notes.md" }, [20]],
		[{ limit: 10, text: "PUSH" }, [30, 20, 10]],
	] as const)
		assertMapped(await permissions.decisions(query), ({ at }) => at, expected);
	assertMapped(await permissions.rules(), ({ lastUsedAt }) => lastUsedAt, [30]);
	const [decision] = await permissions.decisions({ limit: 1 });
	assert.equal(decision?.request.arguments[1]?.value.length, 501);
	// Only the user can read the files; Windows has no such modes.
	const { mode } = await stat(join(folder, "audit.jsonl"));
	if (process.platform !== "win32") assert.equal(mode & 0o077, 0);
});

test("the preview of a rule lists past decisions that the rule would change, and stores nothing", async (t) => {
	const { permissions, clock } = await open(t);
	for (const [day, effect, by] of [
		[1, "allow", "person"],
		[2, "deny", "person"],
		[3, "deny", "rule"],
		[4, "allow", "rule"],
	] as const) {
		clock.time = day * DAY;
		await permissions.record({ request, effect, by });
	}
	const git = { scope: "always", argument: { kind: "command", value: "git" } } as const;
	const preview = async (effect: Effect, since = 0) =>
		(await permissions.preview({ effect, ...git }, since)).map(({ at }) => at / DAY);
	assert.deepEqual(await preview("allow"), [3, 2, 1]);
	assert.deepEqual(await preview("deny"), [4, 2, 1]);
	assert.deepEqual(await preview("ask"), [4, 3]);
	assert.deepEqual(await preview("allow", 2 * DAY), [3, 2]);
	await permissions.add({ effect: "deny", ...git });
	assert.deepEqual(await preview("allow"), []);
	assert.equal((await permissions.rules()).length, 1);
});

test("no call is allowed if the permission files cannot be read or written", async (t) => {
	const folder = join(await makeFolder(t), "file");
	await writeFile(folder, "");
	const permissions = permissionsIn(folder);
	const unreadable = { code: "PERMISSIONS_UNREADABLE" };
	await assert.rejects(permissions.verdictFor(request), unreadable);
	await assert.rejects(permissions.record({ request, effect: "allow", by: "person" }), unreadable);
});

test("a full audit log is rotated, and log files older than 90 days are deleted", async (t) => {
	const folder = await makeFolder(t);
	const log = createAuditLog(folder, 600);
	const decide = (day: number): Decision => ({ at: day * DAY, request, effect: "allow", by: "person" });
	for (let day = 1; day <= 120; day++) await log.append(decide(day));
	const lines = await Array.fromAsync(log.newestFirst());
	const days = lines.map((line) => ("at" in line ? line.at / DAY : Number.NaN));
	assert.deepEqual(
		days.toReversed(),
		times(days.length, (index) => 121 - days.length + index),
	);
	assert.ok(days.length >= 90 && days.length < 100, `${days.length} days`);
	assert.ok((await readdir(folder)).length > 10);
});

test("cleared rules, even damaged rules, apply in no window, and a cleared audit log is empty", async (t) => {
	const { permissions, folder, reopen } = await open(t, [managed]);
	const stored = createStoredPermissions(folder);
	const { signal } = new AbortController();
	const none = { items: 0, bytes: 0 };
	assert.deepEqual(await stored.sizes(signal), { rules: none, decisions: none });
	await permissions.add({ effect: "deny", scope: "always", tool: "shell" });
	await permissions.record({ request, effect: "deny", by: "rule" });
	const { rules, decisions } = await stored.sizes(signal);
	assert.deepEqual([rules.items, decisions.items], [1, 1]);
	assert.ok(rules.bytes > 50 && decisions.bytes > 50);
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
