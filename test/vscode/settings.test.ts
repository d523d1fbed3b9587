import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { moveOldSettings } from "../../src/vscode/oldSettings.ts";
import {
	chainLimits,
	cliPath,
	embeddingSettings,
	otlpEndpoint,
	searchChoice,
	setting,
	storageSettings,
} from "../../src/vscode/settings.ts";
import { env, workspace } from "../support/fakeVscode.ts";

const { getConfiguration, isTrusted } = workspace;
afterEach(() => void Object.assign(workspace, { getConfiguration, isTrusted }));
afterEach(() => void Object.assign(env, { remoteName: undefined }));
type Values = Record<string, unknown>;

/** Settings as their files have them; objects of the same name are merged, as VS Code does. */
function choose(user: Values, ofWorkspace: Values = {}): void {
	const get = (name: string, fallback?: unknown) => {
		const [global, local] = [user[name], ofWorkspace[name]];
		const isObject = global instanceof Object && local instanceof Object && !Array.isArray(local);
		return (isObject ? { ...global, ...local } : (local ?? global)) ?? (name in user ? null : fallback);
	};
	const inspect = (name: string) => ({ globalValue: user[name], workspaceValue: ofWorkspace[name] });
	const update = async (name: string, value: unknown, target: number) => {
		const values = target === 1 ? user : ofWorkspace;
		if (value === undefined) delete values[name];
		else values[name] = value;
	};
	Object.assign(workspace, { getConfiguration: () => ({ get, inspect, update }) });
}

test("what a person chose is read as they wrote it", () => {
	const options = {
		"embedding.options": { dimensions: 256 },
		"storage.options": { region: "eu", memory: 5 },
	};
	choose({ "agent.maxRounds": 3, folders: ["/a"], ...options });
	assert.deepEqual(
		[setting("agent.maxRounds"), setting("folders"), embeddingSettings().dimensions],
		[3, ["/a"], 256],
	);
	const storage = { uri: "", options: { region: "eu" }, readOnly: false, memoryMb: 5 };
	assert.deepEqual(storageSettings(), storage);
});

test("a value of another kind counts as left out", () => {
	choose({
		"agent.maxRounds": "many",
		folders: ["/a", 1],
		"embedding.provider": "mine",
		"embedding.options": { dimensions: null, batchSize: "2", mine: 1 },
		"storage.options": { region: 1, readOnly: "yes" },
		"cli.path": 5,
		search: { index: "all", threshold: "high", maxTokens: 0 },
	});
	const { readOnly, options } = storageSettings();
	assert.deepEqual(
		[setting("agent.maxRounds"), setting("folders"), cliPath(), readOnly, options],
		[10, [], "", false, {}],
	);
	const { provider, dimensions, batchSize } = embeddingSettings();
	assert.deepEqual([provider, dimensions, batchSize, searchChoice()], ["built-in", undefined, 64, {}]);
});

function chooseOld(): [user: Values, ofWorkspace: Values] {
	const embedding = { "embedding.model": "nomic", "embedding.options": { batchSize: 2 } };
	const user: Values = { ...embedding, "telemetry.otlpEndpoint": "http://a", "agents.maxDepth": 2 };
	const telemetry = { "telemetry.otlpEndpoint": "http://b" };
	const ofWorkspace: Values = { "embedding.model": "e5", ...telemetry, "storage.memory": 7 };
	choose(user, ofWorkspace);
	return [user, ofWorkspace];
}

const OLD = [
	{ isTrusted: true, model: "e5", memory: 7 },
	{ isTrusted: false, model: "nomic", memory: 1024 },
] as const;

for (const { isTrusted, model, memory } of OLD)
	test(`old settings are read and moved with their scopes in a ${isTrusted ? "trusted" : "restricted"} workspace`, async () => {
		const [user, ofWorkspace] = chooseOld();
		Object.assign(workspace, { isTrusted });
		const read = () => [embeddingSettings(), storageSettings().memoryMb, chainLimits().depth, otlpEndpoint()];
		const before = read();
		assert.deepEqual([embeddingSettings().model, storageSettings().memoryMb], [model, memory]);
		const shared = [embeddingSettings().batchSize, chainLimits().depth, otlpEndpoint()];
		assert.deepEqual(shared, [2, 2, "http://a"]);
		moveOldSettings({ warn: assert.fail } as never);
		await new Promise(setImmediate);
		assert.deepEqual(read(), before);
		const others = { "telemetry.otlp": { endpoint: "http://a" }, "agents.limits": { maxDepth: 2 } };
		assert.deepEqual(user, { "embedding.options": { model: "nomic", batchSize: 2 }, ...others });
		const moved = { "embedding.options": { model: "e5" }, "storage.options": { memory: 7 } };
		const { "telemetry.otlpEndpoint": ignored, ...rest } = ofWorkspace;
		assert.equal(ignored, "http://b");
		assert.deepEqual(rest, isTrusted ? moved : { "embedding.model": "e5", "storage.memory": 7 });
	});

test("a remote window reads the user's old settings and leaves them where they are", async () => {
	const [user, ofWorkspace] = chooseOld();
	Object.assign(env, { remoteName: "ssh" });
	moveOldSettings({ warn: assert.fail } as never);
	await new Promise(setImmediate);
	assert.deepEqual([user["embedding.model"], ofWorkspace["embedding.model"]], ["nomic", undefined]);
	assert.equal(embeddingSettings().model, "e5");
});
