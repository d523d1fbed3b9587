import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFailure } from "../../../src/base/failure.ts";
import type { PluginDefinition, PluginLevel } from "../../../src/core/plugin/plugin.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { assertNone } from "../../support/assertNone.ts";
import { makeFolder } from "../../support/folder.ts";
import { open, request } from "../judging.ts";

const isDamage = (words: RegExp) => (thrown: unknown) =>
	isFailure(thrown) && thrown.code === "PERMISSIONS_UNREADABLE" && words.test(thrown.message);

const PUSH = { scope: "always", argument: { kind: "command", value: "git push" } } as const;

/** Opens a folder with a rule that allows everything, and its file. */
async function openAllowing(t: TestContext) {
	const opened = await open(t);
	const path = join(opened.folder, "rules.jsonl");
	await opened.permissions.add({ effect: "allow", scope: "always" });
	const verdictWith = async (text: string | Uint8Array) => {
		await writeFile(path, text);
		return opened.reopen().verdictFor(request);
	};
	return { ...opened, path, verdictWith };
}

test("stored rules of an older version are read as rules of the user, and get checksums with the next rule", async (t) => {
	const { permissions, folder, reopen } = await open(t);
	const path = join(folder, "rules.jsonl");
	const rule = { id: "x", effect: "deny", scope: "always", createdAt: 1, origin: "settings", tool: "shell" };
	const added = ["x", "y"].map((id) => ({ kind: "added", rule: { ...rule, id } }));
	const lines = [...added, { kind: "revoked", id: "y", at: 2 }];
	await writeFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(""));
	const rules = async () => (await reopen().rules()).map((use) => `${use.rule.id} ${use.rule.origin}`);
	assert.deepEqual(await rules(), ["x person"]);
	const { id } = await permissions.add({ effect: "allow", scope: "always", tool: "other" });
	assert.deepEqual(await rules(), ["x person", `${id} person`]);
	const sealed = await readFile(path, "utf8");
	assert.equal(sealed.match(/"sum":/g)?.length, 2);
	await writeFile(path, sealed.replace('"deny"', '"dexy"'));
	await assert.rejects(reopen().rules(), isDamage(/Line 2 of/));
});

test("a rule that was written by hand and revoked by an earlier version stays revoked", async (t) => {
	const { folder, reopen } = await open(t);
	const written = { effect: "allow", scope: "always", door: "mcp", tool: "ask" };
	const hash = createHash("sha256").update(JSON.stringify(written)).digest("hex").slice(0, 16);
	const revoked = { kind: "revoked", id: `written:${hash}`, at: 1 };
	for (const name of ["door", "channel"]) {
		const lines = [{ effect: "allow", [name]: "mcp", tool: "ask" }, revoked];
		await writeFile(join(folder, "rules.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
		assert.deepEqual(await reopen().rules(), [], name);
	}
});

test("a stored rule with both names of its channel is damaged, and with one it is for that channel", async (t) => {
	const { folder, reopen } = await open(t);
	const rule = { id: "x", effect: "allow", scope: "always", createdAt: 1, origin: "person" };
	const channelsOf = async (names: object) => {
		const line = { kind: "added", rule: { ...rule, ...names } };
		await writeFile(join(folder, "rules.jsonl"), `${JSON.stringify(line)}\n`);
		return (await reopen().rules()).map((use) => use.rule.channel);
	};
	assert.deepEqual(await channelsOf({ door: "cli" }), ["cli"]);
	assert.deepEqual(await channelsOf({ channel: "cli" }), ["cli"]);
	for (const names of [
		{ door: "cli", channel: "mcp" },
		{ door: "cli", channel: "cli" },
		{ door: null },
		{ door: "web" },
		{ doors: "cli" },
	])
		await assert.rejects(channelsOf(names), isDamage(/Line 1 of/), JSON.stringify(names));
});

test("a changed letter in stored rules allows no call, and the error names the line", async (t) => {
	const { permissions, path, verdictWith } = await openAllowing(t);
	await permissions.add({ effect: "deny", ...PUSH });
	const text = await readFile(path, "utf8");
	const allowed: string[] = [];
	for (let at = 0; at < text.length; at++)
		for (const letter of ["x", "\n", '"', "}"]) {
			if (text[at] === letter) continue;
			const effect = await verdictWith(`${text.slice(0, at)}${letter}${text.slice(at + 1)}`).then(
				(verdict) => verdict.effect,
				(thrown) => (isDamage(/Remove the line/)(thrown) ? "deny" : String(thrown)),
			);
			if (effect !== "deny") allowed.push(`${at} ${letter}: ${effect}`);
		}
	assertNone(allowed);
	const damaged = verdictWith(text.replace("git push", "git pusx"));
	await assert.rejects(damaged, isDamage(/Line 2 of .*git pusx/));
	await assert.rejects(permissions.verdictFor(request), isDamage(/Line 2 of/));
	await assert.rejects(permissions.add({ effect: "allow", scope: "always" }), isDamage(/Line 2 of/));
	await writeFile(path, text);
	assert.equal((await permissions.verdictFor(request)).effect, "deny");
});

test("a truncated line of stored rules allows no call, unless the line is an allow rule", async (t) => {
	for (const effect of ["allow", "deny"] as const) {
		const { permissions, path, verdictWith } = await openAllowing(t);
		const before = (await readFile(path)).length;
		await permissions.add({ effect, ...PUSH });
		const bytes = await readFile(path);
		for (let end = before + 1; end < bytes.length - 1; end++) {
			const verdict = await verdictWith(bytes.subarray(0, end)).catch(() => undefined);
			const isKnown = bytes.subarray(before, end).includes(`"effect":"allow"`);
			assert.equal(verdict?.effect, effect === "allow" && isKnown ? "allow" : undefined, String(end));
		}
	}
});

test("a rule stored after a truncated line is kept", async (t) => {
	const { permissions, path, reopen } = await openAllowing(t);
	await appendFile(path, `{"kind":"added","rule":{"effect":"allow","scope":"al`);
	await reopen().add({ effect: "deny", scope: "always", tool: "other" });
	for (const opened of [permissions, reopen()])
		assertMapped(await opened.rules(), ({ rule }) => rule.tool, [undefined, "other"]);
});

test("stored rules of a later version or with manual changes allow no call until they are reviewed", async (t) => {
	const { verdictWith } = await openAllowing(t);
	const rule = { id: "x", effect: "allow", scope: "always", createdAt: 1, origin: "person" };
	const changes = [{ effect: "whatever" }, { argument: { kind: "command" } }, { unless: "x" }];
	const added = changes.map((change) => ({ kind: "added", rule: { ...rule, ...change } }));
	const lines = [[1], { kind: "renamed", rule }, { kind: "revoked", id: 7 }, ...added];
	for (const text of ["not json", ...lines.map((line) => JSON.stringify(line))])
		await assert.rejects(verdictWith(`${text}\n`), isDamage(/Line 1 of/), text);
});

test("a damaged line of the audit log is listed with its text", async (t) => {
	const { permissions, folder, clock } = await open(t);
	const path = join(folder, "audit.jsonl");
	for (clock.time of [2000, 3000, 4000])
		await permissions.record({ request: { ...request, title: `${clock.time}` }, effect: "deny", by: "rule" });
	await writeFile(path, (await readFile(path, "utf8")).replace("3000", "3o00"));
	const titles = (await permissions.decisions({ limit: 10 })).map((decision) => decision.request.title);
	assert.match(titles.join("\n"), /^4000\n.*is damaged.*3o00.*\n2000$/);
	assertNone(await permissions.preview({ effect: "allow", scope: "always", tool: "(damaged)" }, 0));
	await appendFile(path, `{"at":1}\n`);
	assert.equal((await permissions.decisions({ limit: 10 })).length, 4);
});

function plugin(fingerprint: string | undefined, level: PluginLevel = "workspace", instance = "default") {
	const source = { uri: "file:///w/.copilot-ld/plugins/p/plugin.yaml", level };
	const definition = { name: "p", instance, source, ...(fingerprint !== undefined && { fingerprint }) };
	return definition as PluginDefinition;
}

test("a consent covers one version of a plugin in one workspace, in all programs", async (t) => {
	const folder = await makeFolder(t);
	const at = (workspace: string) => createPluginConsents({ folder, workspaceUri: () => workspace });
	const here = at("file:///w");
	assert.equal(await here.consentStateOf(plugin("a")), "unseen");
	await here.agree(plugin("a"));
	const asked = ["b", undefined].map((fingerprint) => plugin(fingerprint));
	const all = [plugin("a"), ...asked, plugin("a", "workspace", "other"), plugin("a", "user")];
	const states = (consents: typeof here) => Promise.all(all.map((one) => consents.consentStateOf(one)));
	assert.deepEqual(await states(here), ["agreed", "changed", "changed", "unseen", "unseen"]);
	assert.deepEqual(await states(at("file:///w")), await states(here));
	assert.deepEqual(await states(at("file:///x")), Array(5).fill("unseen"));
	await here.agree(plugin("c", "user"));
	assert.equal(await at("file:///x").consentStateOf(plugin("c", "user")), "agreed");
	await here.agree(plugin("b"));
	assert.deepEqual((await states(here)).slice(0, 2), ["changed", "agreed"]);
	await assert.rejects(here.agree(plugin(undefined)), /could change unnoticed/);
	// An edited line is no consent.
	const path = join(folder, "plugins.jsonl");
	await writeFile(path, (await readFile(path, "utf8")).replaceAll('"fingerprint":"b"', '"fingerprint":"d"'));
	assert.equal(await here.consentStateOf(plugin("d")), "changed");
});
