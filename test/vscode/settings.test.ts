import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import * as settings from "../../src/vscode/settings.ts";
import { embeddingSettings, setting, storageSettings } from "../../src/vscode/settings.ts";
import { env, workspace } from "../support/fakeVscode.ts";

const { getConfiguration, isTrusted } = workspace;
afterEach(() => {
	Object.assign(workspace, { getConfiguration, isTrusted });
	Object.assign(env, { remoteName: undefined });
});
type Values = Record<string, unknown>;

/** Sets the contents of the settings files, with both sections. As in VS Code, objects of one name are merged. */
function choose(user: Values, ofWorkspace: Values = {}): void {
	const getConfiguration = (section: string) => {
		const idOf = (name: string) => (section === "copilot-LD" ? name : `${section}.${name}`);
		const inspect = (name: string) => {
			return { globalValue: user[idOf(name)], workspaceValue: ofWorkspace[idOf(name)] };
		};
		const get = (name: string, fallback?: unknown) => {
			const { globalValue: global, workspaceValue: local } = inspect(name);
			const isObject = global instanceof Object && local instanceof Object && !Array.isArray(local);
			const value = isObject ? { ...global, ...local } : (local ?? global);
			return value ?? (idOf(name) in user ? null : fallback);
		};
		const update = async (name: string, value: unknown, target: number) => {
			const values = target === 1 ? user : ofWorkspace;
			if (value === undefined) delete values[idOf(name)];
			else values[idOf(name)] = value;
		};
		return { get, inspect, update };
	};
	Object.assign(workspace, { getConfiguration });
}

test("settings have the values in the user's files; values of a wrong type count as missing", () => {
	const read = () => {
		const { readOnly, options, memoryMb } = storageSettings();
		const { provider, dimensions, batchSize } = embeddingSettings();
		const plain = [setting("agent.maxRounds"), setting("folders"), setting("cli.path")];
		return [...plain, readOnly, options, memoryMb, provider, dimensions, batchSize, settings.searchChoice()];
	};
	choose({
		...{ "agent.maxRounds": 3, folders: ["/a"], "cli.path": " /cli ", "embedding.provider": "none" },
		"embedding.options": { dimensions: 256, batchSize: 2 },
		"storage.options": { region: "eu", memory: 5, readOnly: true },
		"copilot-ld.search": { index: "content", threshold: 2, maxTokens: 7.5 },
	});
	const search = { index: "content", threshold: 1, maxTokens: 7 };
	assert.deepEqual(read(), [3, ["/a"], "/cli", true, { region: "eu" }, 5, "none", 256, 2, search]);
	choose({
		...{ "agent.maxRounds": "many", folders: ["/a", 1], "cli.path": 5, "embedding.provider": "mine" },
		"embedding.options": { dimensions: null, batchSize: "2", mine: 1 },
		"storage.options": { region: 1, readOnly: "yes" },
		"copilot-ld.search": { index: "all", threshold: "high", maxTokens: 0 },
	});
	assert.deepEqual(read(), [10, [], "", false, {}, 1024, "built-in", undefined, 64, {}]);
});

const OLD_MODEL = "copilot-ld.embedding.model";

/** Workspaces must not set these two. */
const REFUSED = { "copilot-ld.telemetry.otlpEndpoint": "http://b", "copilot-ld.cli.path": "/b" };

function chooseOld(): [user: Values, ofWorkspace: Values] {
	const embedding = { [OLD_MODEL]: "nomic", "copilot-ld.embedding.options": { batchSize: 2 } };
	const others = { "copilot-ld.telemetry.otlpEndpoint": "http://a", "copilot-ld.agents.maxDepth": 2 };
	const user: Values = { ...embedding, ...others, "copilot-ld.permissions.rules": [1], "cli.path": "/a" };
	const storage = { "copilot-ld.storage.memory": 7, "copilot-ld.permissions.rules": [2] };
	const ofWorkspace: Values = { [OLD_MODEL]: "e5", ...storage, ...REFUSED };
	choose(user, ofWorkspace);
	return [user, ofWorkspace];
}

for (const { isTrusted, model, memory, rules } of [
	{ isTrusted: true, model: "e5", memory: 7, rules: [[2]] },
	{ isTrusted: false, model: "nomic", memory: 1024, rules: [] },
] as const)
	test(`old settings are read and moved within the user or workspace scope in a ${isTrusted ? "trusted" : "restricted"} workspace`, async () => {
		const [user, ofWorkspace] = chooseOld();
		const old = { ...ofWorkspace };
		Object.assign(workspace, { isTrusted });
		const otherSettings = () => [
			settings.permissionRules(),
			setting("telemetry.otlp").endpoint,
			setting("cli.path"),
		];
		const limits = () => [settings.chainLimits().depth, storageSettings().memoryMb];
		const read = () => [embeddingSettings(), ...limits(), ...otherSettings()];
		const before = read();
		const permissions = { user: [1], workspace: rules };
		assert.deepEqual(before.slice(1), [2, memory, permissions, "http://a", "/a"]);
		assert.deepEqual([embeddingSettings().model, embeddingSettings().batchSize], [model, 2]);
		settings.moveOldSettings({ warn: assert.fail } as never);
		await new Promise(setImmediate);
		assert.deepEqual(read(), before);
		const others = { "telemetry.otlp": { endpoint: "http://a" }, "agents.limits": { maxDepth: 2 } };
		const options = { "embedding.options": { model: "nomic", batchSize: 2 } };
		assert.deepEqual(user, { ...options, ...others, "permissions.rules": [1], "cli.path": "/a" });
		const moved = { "embedding.options": { model: "e5" }, "storage.options": { memory: 7 } };
		const left = isTrusted ? { ...moved, "permissions.rules": [2], ...REFUSED } : old;
		assert.deepEqual(ofWorkspace, left);
	});

test("a setting's new name overrides the old name in the same file; the workspace overrides the user", () => {
	choose(
		{ "agent.maxRounds": 5, "copilot-ld.agent.maxRounds": 4 },
		{ "copilot-ld.agents.engine": "cli", "agents.engine": "model" },
	);
	assert.deepEqual([setting("agent.maxRounds"), setting("agents.engine")], [5, "model"]);
	choose({ "agent.maxRounds": 5 }, { "copilot-ld.agent.maxRounds": 4 });
	assert.equal(setting("agent.maxRounds"), 4);
});

test("a remote window reads the user's old settings, but leaves old names in the files", async () => {
	const [user, ofWorkspace] = chooseOld();
	Object.assign(env, { remoteName: "ssh" });
	settings.moveOldSettings({ warn: assert.fail } as never);
	await new Promise(setImmediate);
	const models = [user[OLD_MODEL], ofWorkspace[OLD_MODEL], embeddingSettings().model];
	assert.deepEqual(models, ["nomic", undefined, "e5"]);
});
