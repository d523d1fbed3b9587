import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isFailure } from "../../../src/base/failure.ts";
import type { PluginDefinition, PluginLevel } from "../../../src/core/plugin/plugin.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { makeFolder } from "../../support/folder.ts";
import { open, request } from "../folderOfRules.ts";

const isDamage = (words: RegExp) => (thrown: unknown) =>
	isFailure(thrown) && thrown.code === "PERMISSIONS_UNREADABLE" && words.test(thrown.message);

test("rules that an older version wrote are read, get checksums with the next rule, and make none of the settings", async (t) => {
	const { permissions, folder, reopen } = await open(t);
	const path = join(folder, "rules.jsonl");
	const rule = { id: "x", effect: "deny", scope: "always", createdAt: 1, origin: "settings", tool: "shell" };
	const other = { ...rule, id: "y" };
	const lines = [
		{ kind: "added", rule },
		{ kind: "added", rule: other },
		{ kind: "revoked", id: "y", at: 2 },
	];
	await writeFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(""));
	const ids = async () => (await reopen().rules()).map((use) => [use.rule.id, use.rule.origin]);
	assert.deepEqual(await ids(), [["x", "person"]]);
	const { id } = await permissions.add({ effect: "allow", scope: "always", tool: "other" });
	assert.deepEqual(await ids(), [
		["x", "person"],
		[id, "person"],
	]);
	const sealed = (await readFile(path, "utf8")).split("\n").filter((line) => line.includes('"sum":'));
	assert.equal(sealed.length, 2);
	await writeFile(path, (await readFile(path, "utf8")).replace('"deny"', '"dexy"'));
	await assert.rejects(reopen().rules(), isDamage(/Line 2 of/));
});

test("one changed letter anywhere in the rules allows nothing, and says which line to remove", async (t) => {
	const { permissions, folder, reopen } = await open(t);
	const path = join(folder, "rules.jsonl");
	await permissions.add({ effect: "allow", scope: "always" });
	const argument = { kind: "command", value: "git push" } as const;
	await permissions.add({ effect: "deny", scope: "always", argument });
	assert.equal((await permissions.verdictFor(request)).effect, "deny");
	const text = await readFile(path, "utf8");
	const allowed: string[] = [];
	for (let at = 0; at < text.length; at++)
		for (const letter of ["x", "\n", '"', "}"]) {
			if (text[at] === letter) continue;
			await writeFile(path, `${text.slice(0, at)}${letter}${text.slice(at + 1)}`);
			const effect = await reopen()
				.verdictFor(request)
				.then(
					(verdict) => verdict.effect,
					(thrown) => (isDamage(/Remove the line/)(thrown) ? "refused" : String(thrown)),
				);
			if (effect !== "refused" && effect !== "deny") allowed.push(`${at} ${letter}: ${effect}`);
		}
	assert.deepEqual(allowed, []);
	await writeFile(path, text.replace("git push", "git pusx"));
	await assert.rejects(permissions.verdictFor(request), isDamage(/Line 2 of .*git pusx/));
	await assert.rejects(permissions.add({ effect: "allow", scope: "always" }), isDamage(/Line 2 of/));
	await writeFile(path, text);
	assert.equal((await permissions.verdictFor(request)).effect, "deny");
});

test("a line that is cut off allows nothing, unless it would have allowed something itself", async (t) => {
	for (const effect of ["allow", "deny"] as const) {
		const { permissions, folder, reopen } = await open(t);
		const path = join(folder, "rules.jsonl");
		await permissions.add({ effect: "allow", scope: "always" });
		const before = (await readFile(path)).length;
		await permissions.add({ effect, scope: "always", argument: { kind: "command", value: "git push" } });
		const bytes = await readFile(path);
		for (let end = before + 1; end < bytes.length - 1; end++) {
			await writeFile(path, bytes.subarray(0, end));
			const verdict = await reopen()
				.verdictFor(request)
				.catch(() => undefined);
			const isKnown = bytes.subarray(before, end).includes(`"effect":"allow"`);
			assert.equal(verdict?.effect, effect === "allow" && isKnown ? "allow" : undefined, String(end));
		}
	}
});

test("rules of a version to come, or of another hand, allow nothing until somebody has looked at them", async (t) => {
	const { folder, reopen } = await open(t);
	const rule = { id: "x", effect: "allow", scope: "always", createdAt: 1, origin: "person" };
	for (const line of [
		"not json",
		"[1]",
		{ kind: "renamed", rule },
		{ kind: "added", rule: { ...rule, effect: "whatever" } },
		{ kind: "added", rule: { ...rule, argument: { kind: "command" } } },
		{ kind: "added", rule: { ...rule, unless: "x" } },
		{ kind: "revoked", id: 7 },
	]) {
		const text = typeof line === "string" ? line : JSON.stringify(line);
		await writeFile(join(folder, "rules.jsonl"), `${text}\n`);
		await assert.rejects(reopen().verdictFor(request), isDamage(/Line 1 of/), text);
	}
});

test("a damaged line of the log is shown among the others, with what is left of it", async (t) => {
	const { permissions, folder, clock } = await open(t);
	const path = join(folder, "audit.jsonl");
	for (clock.time of [2000, 3000, 4000])
		await permissions.record({ request: { ...request, title: `${clock.time}` }, effect: "deny", by: "rule" });
	await writeFile(path, (await readFile(path, "utf8")).replace("3000", "3o00"));
	const titles = (await permissions.decisions({ limit: 10 })).map((decision) => decision.request.title);
	assert.deepEqual([titles[0], titles[2]], ["4000", "2000"]);
	assert.match(titles[1] ?? "", /is damaged.*3o00/);
	assert.deepEqual(await permissions.preview({ effect: "allow", scope: "always", tool: "(damaged)" }, 0), []);
	await appendFile(path, `{"at":1}\n`);
	assert.equal((await permissions.decisions({ limit: 10 })).length, 4);
});

test("the log holds the beginning of a long text", async (t) => {
	const { permissions } = await open(t);
	const long = { ...request, arguments: [{ kind: "text", value: "x".repeat(9000) } as const] };
	await permissions.record({ request: long, effect: "deny", by: "person" });
	const [decision] = await permissions.decisions({ limit: 1 });
	assert.equal(decision?.request.arguments[0]?.value.length, 501);
});

function plugin(fingerprint: string | undefined, level: PluginLevel = "workspace", instance = "default") {
	const source = { uri: "file:///w/.copilot-ld/plugins/p/plugin.yaml", level };
	const definition = { name: "p", instance, source, ...(fingerprint !== undefined && { fingerprint }) };
	return definition as PluginDefinition;
}

test("a person agrees to a plugin as it is, for one workspace or for their own, and every program knows", async (t) => {
	const folder = await makeFolder(t);
	const at = (workspace: string) => createPluginConsents({ folder, workspaceUri: () => workspace });
	const here = at("file:///w");
	assert.equal(await here.consentStateOf(plugin("a")), "unseen");
	await here.agree(plugin("a"));
	const standings = async (consents: typeof here) => [
		await consents.consentStateOf(plugin("a")),
		await consents.consentStateOf(plugin("b")),
		await consents.consentStateOf(plugin(undefined)),
		await consents.consentStateOf(plugin("a", "workspace", "other")),
		await consents.consentStateOf(plugin("a", "user")),
	];
	assert.deepEqual(await standings(here), ["agreed", "changed", "changed", "unseen", "unseen"]);
	assert.deepEqual(await standings(at("file:///w")), await standings(here));
	assert.deepEqual(await standings(at("file:///x")), Array(5).fill("unseen"));
	await here.agree(plugin("c", "user"));
	assert.equal(await at("file:///x").consentStateOf(plugin("c", "user")), "agreed");
	await here.agree(plugin("b"));
	assert.deepEqual((await standings(here)).slice(0, 2), ["changed", "agreed"]);
	await assert.rejects(here.agree(plugin(undefined)), /could change unnoticed/);
});

test("a line that was edited agrees to nothing", async (t) => {
	const folder = await makeFolder(t);
	const consents = createPluginConsents({ folder, workspaceUri: () => "file:///w" });
	await consents.agree(plugin("a"));
	const path = join(folder, "plugins.jsonl");
	await writeFile(path, (await readFile(path, "utf8")).replace('"fingerprint":"a"', '"fingerprint":"b"'));
	assert.equal(await consents.consentStateOf(plugin("b")), "unseen");
});
