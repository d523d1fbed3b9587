import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { LanguageModelChat } from "vscode";
import * as vscode from "vscode";
import type { ModelPart } from "../../../src/core/agent/agentEvent.ts";
import { toModel } from "../../../src/vscode/models/languageModel.ts";
import { sendToChat } from "../../../src/vscode/models/passagesModel.ts";
import { createSavedModels, OWN, type SavedModel, VENDOR } from "../../../src/vscode/models/savedModels.ts";
import { createServerModels } from "../../../src/vscode/models/serverModels.ts";
import { commands, lm, window } from "../../support/fakeVscode.ts";

const PATIENCE = { tries: 3, firstWaitMs: 1, longestWaitMs: 5 };

function chatModel(...replies: (readonly (string | Error)[])[]) {
	let asked = 0;
	const answer = async function* (reply: readonly (string | Error)[] = []) {
		for (const part of reply) {
			if (part instanceof Error) throw part;
			yield new vscode.LanguageModelTextPart(part);
		}
	};
	const sendRequest = async () => ({ stream: answer(replies[asked++]) });
	const model = { maxInputTokens: 1000, sendRequest } as unknown as LanguageModelChat;
	return { model: toModel(model, "because", PATIENCE), asked: () => asked };
}

async function wordsOf(parts: AsyncIterable<ModelPart>): Promise<string> {
	return (await Array.fromAsync(parts)).map((part) => (part.kind === "text" ? part.text : "")).join("");
}

const { signal } = new AbortController();

test("a server's model passes thoughts and the server's address to our loop", async () => {
	const thought = { kind: "thought", text: "hm" } as const;
	const asked: unknown[] = [];
	const sendRequest = async (_: unknown, options: { modelOptions: Record<string, unknown> }) => {
		asked.push(options.modelOptions[OWN]);
		return { stream: Readable.from([vscode.LanguageModelDataPart.json(thought, OWN)]) };
	};
	const id = "http://127.0.0.1:11434/v1 qwen3";
	const model = toModel({ id, family: "qwen3", vendor: VENDOR, sendRequest } as unknown as LanguageModelChat);
	assert.deepEqual(await Array.fromAsync(model.respond([], [], signal)), [thought]);
	assert.deepEqual(asked, [true]);
	const server = { provider: "openai-compatible", address: "127.0.0.1", port: 11434 };
	assert.deepEqual(model.named, { model: "qwen3", ...server });
});

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

test("a request that fails in the network is sent again if no part of the answer has arrived", async () => {
	const lost = new Error("Sorry, there was a network error: net::ERR_CONNECTION_RESET");
	const { model, asked } = chatModel([lost], [new Error("503 overloaded")], ["It ", "is lit."]);
	assert.equal(await wordsOf(model.respond([], [], signal)), "It is lit.");
	assert.equal(asked(), 3);
});

test("an error that is not temporary is reported at once", async () => {
	for (const decided of [
		new Error("The model is asleep."),
		named("ChatQuotaExceeded", "503"),
		named("Failure", "http://localhost failed (503)"),
		Object.assign(new Error("503"), { cause: named("ChatRateLimited", "slow down") }),
		new vscode.CancellationError(),
	]) {
		const { model, asked } = chatModel([decided], ["It is lit."]);
		await assert.rejects(wordsOf(model.respond([], [], signal)), decided);
		assert.equal(asked(), 1, decided.message);
	}
});

test("a request that waits for a retry can be canceled", async () => {
	const controller = new AbortController();
	const reason = new Error("stop");
	const { model } = chatModel([new Error("503")], ["late"]);
	const answer = wordsOf(model.respond([], [], controller.signal));
	controller.abort(reason);
	await assert.rejects(answer, reason);
});

test("a question is sent only after VS Code has looked for models, first Copilot's", async (t) => {
	const happened: string[] = [];
	const copilots = Promise.withResolvers<readonly object[]>();
	t.mock.method(lm, "selectChatModels", async ({ vendor }: { readonly vendor: string }) => {
		happened.push(vendor);
		return vendor === "copilot" ? copilots.promise : [{}];
	});
	t.mock.method(commands, "executeCommand", async (_id: string, { query }: { readonly query: string }) => {
		happened.push(query);
	});
	const sent = sendToChat("@copilot-ld Who?");
	assert.deepEqual(happened, ["copilot"]);
	copilots.resolve([]);
	await sent;
	assert.deepEqual(happened, ["copilot", "copilot-ld-passages", "@copilot-ld Who?"]);
});

test("removing the last model of a server removes the key of the server", async (t) => {
	let state: readonly SavedModel[] = ["small", "big"].map((name) => ({
		...{ base: "http://a.example/v1", name, contextTokens: 8000, canCallTools: true, canSeeImages: false },
	}));
	const update = async (_key: string, value: readonly SavedModel[]) => {
		await setImmediate();
		state = value;
	};
	const saved = createSavedModels({ get: () => state, update } as never);
	const removed: string[] = [];
	const secrets = { delete: async (key: string) => void removed.push(key) } as never;
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
