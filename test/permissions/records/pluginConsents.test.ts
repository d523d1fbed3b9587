import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { PluginDefinition, PluginLevel } from "../../../src/core/plugin/plugin.ts";
import { createPluginConsents } from "../../../src/permissions/records/pluginConsents.ts";
import { makeFolder } from "../../support/folder.ts";

function plugin(fingerprint: string | undefined, level: PluginLevel = "workspace", instance = "default") {
	const source = { uri: "file:///w/.copilot-ld/plugins/p/plugin.yaml", level };
	const definition = { name: "p", instance, source, ...(fingerprint !== undefined && { fingerprint }) };
	return definition as PluginDefinition;
}

test("a person agrees to a plugin as it is, for one workspace or for their own, and every program knows", async (t) => {
	const folder = await makeFolder(t);
	const at = (workspace: string) => createPluginConsents({ folder, workspaceUri: () => workspace });
	const here = at("file:///w");
	assert.equal(await here.standingOf(plugin("a")), "unseen");
	await here.agree(plugin("a"));
	const standings = async (consents: typeof here) => [
		await consents.standingOf(plugin("a")),
		await consents.standingOf(plugin("b")),
		await consents.standingOf(plugin(undefined)),
		await consents.standingOf(plugin("a", "workspace", "other")),
		await consents.standingOf(plugin("a", "user")),
	];
	assert.deepEqual(await standings(here), ["agreed", "changed", "changed", "unseen", "unseen"]);
	assert.deepEqual(await standings(at("file:///w")), await standings(here));
	assert.deepEqual(await standings(at("file:///x")), Array(5).fill("unseen"));
	await here.agree(plugin("c", "user"));
	assert.equal(await at("file:///x").standingOf(plugin("c", "user")), "agreed");
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
	assert.equal(await consents.standingOf(plugin("b")), "unseen");
});
