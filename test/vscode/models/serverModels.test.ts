import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Memento, SecretStorage } from "vscode";
import { createSavedModels, type SavedModel } from "../../../src/vscode/models/savedModels.ts";
import { createServerModels } from "../../../src/vscode/models/serverModels.ts";
import { window } from "../../support/fakeVscode.ts";

const model = (base: string, name: string): SavedModel => {
	const limits = { contextTokens: 8000, canCallTools: true, canSeeImages: false };
	return { base, name, ...limits };
};

test("removing the last model of a server removes the key of the server", async (t) => {
	let state: readonly SavedModel[] = [
		model("http://a.example/v1", "small"),
		model("http://a.example/v1", "big"),
	];
	const update = async (_key: string, value: readonly SavedModel[]) => {
		await setImmediate();
		state = value;
	};
	const saved = createSavedModels({ get: () => state, update } as unknown as Memento);
	const removed: string[] = [];
	const secrets = { delete: async (key: string) => void removed.push(key) } as unknown as SecretStorage;
	t.mock.method(window, "showQuickPick", async (items: readonly unknown[]) => items[0]);
	const { remove } = createServerModels({ saved, secrets, log: { error: assert.fail } });
	const keysRemoved: number[] = [];
	for (const _model of saved.all()) {
		await remove();
		keysRemoved.push(removed.length);
	}
	assert.deepEqual(keysRemoved, [0, 1]);
	await assert.rejects(remove(), { code: "NOT_FOUND" });
});
