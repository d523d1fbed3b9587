import type { TestContext } from "node:test";
import type { ModelPart } from "../../src/core/agent/agentEvent.ts";
import type { ChatRequest } from "../../src/models/chatBody.ts";
import { createModelServer, type ModelServerOptions } from "../../src/models/modelServer.ts";
import { readServerAddress } from "../../src/models/serverAddress.ts";
import { scriptedServer } from "./scriptedServer.ts";

export const REQUEST: ChatRequest = { model: "tiny", messages: [{ role: "user", text: "Who?" }], tools: [] };

export async function openServer(t: TestContext, options: Partial<ModelServerOptions> = {}) {
	const scripted = await scriptedServer(t);
	const [address] = readServerAddress(scripted.origin);
	const patience = { tries: 3, firstWaitMs: 1, longestWaitMs: 50 };
	const server = createModelServer({ address, key: undefined, patience, ...options });
	const ask = (request: Partial<ChatRequest> = {}, signal = new AbortController().signal) =>
		partsOf(server.respond({ ...REQUEST, ...request }, signal));
	return { scripted, server, ask };
}

/** Collects the parts of an answer, without the final `finished` part. */
export async function partsOf(stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
	return (await Array.fromAsync(stream)).filter(({ kind }) => kind !== "finished");
}
