import { createPersistently, type Patience } from "../base/http/persistent.ts";
import { createClient } from "./client.ts";
import { type AskServer, describeModel } from "./describeModel.ts";
import { createGuardedFetch } from "./guardedFetch.ts";
import { listModels, type OfferedModel } from "./listModels.ts";
import { type ChatRequest, respond, type ServerPart } from "./respond.ts";
import type { ServerAddress } from "./serverAddress.ts";

export interface ModelServerOptions {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	readonly patience?: Patience;
	readonly silenceMs?: number;
}

/** A server that speaks OpenAI's protocol: Ollama, LM Studio, llama.cpp, vLLM, LiteLLM, clouds. Its failures are `ModelTrouble`s. */
export interface ModelServer {
	models(signal: AbortSignal): Promise<OfferedModel[]>;
	describe(model: OfferedModel, signal: AbortSignal): Promise<OfferedModel>;
	respond(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ServerPart>;
}

const PATIENCE: Patience = { tries: 4, firstWaitMs: 500, longestWaitMs: 60_000 };
/** A large model may first have to load from a slow disk. */
const SILENCE_MS = 300_000;
/** Optional details are not worth a longer wait. */
const DETAILS_MS = 5_000;

export function createModelServer(options: ModelServerOptions): ModelServer {
	const { address, key, patience = PATIENCE, silenceMs = SILENCE_MS } = options;
	const client = createClient({ address, key, silenceMs });
	const persistently = createPersistently(patience);
	const { base } = address;
	return {
		models: (signal) => listModels({ client, persistently, asked: { base, key } }, signal),
		describe: async (model, signal) => {
			const fetch = createGuardedFetch({ address, key, silenceMs: DETAILS_MS });
			return model.contextTokens === undefined
				? { ...model, ...(await describeModel(model.name, askAt(base, fetch, signal))) }
				: model;
		},
		respond: (request, signal) =>
			respond({ client, persistently, asked: { base, key, model: request.model } }, request, signal),
	};
}

/** Details are optional: a server without them may answer with anything. */
function askAt(base: string, fetch: typeof globalThis.fetch, signal: AbortSignal): AskServer {
	const root = base.replace(/\/v\d+\w*$/, "");
	return async (path, body) => {
		try {
			const init = body ? { method: "POST", body: JSON.stringify(body), signal } : { signal };
			const response = await fetch(root + path, init);
			const text = await response.text();
			return response.ok ? JSON.parse(text) : undefined;
		} catch {
			signal.throwIfAborted();
			return undefined;
		}
	};
}
