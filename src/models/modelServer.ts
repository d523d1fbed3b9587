import OpenAI from "openai";
import { createPersistently, type Patience } from "../base/http/persistent.ts";
import { listOf } from "../base/values.ts";
import type { ChatRequest } from "./chatBody.ts";
import { createGuardedFetch, type GuardOptions } from "./guardedFetch.ts";
import { numberAt, textAt, textsAt, valueAt } from "./jsonPath.ts";
import { createLearned, respond, type ServerPorts } from "./respond.ts";
import type { ServerAddress } from "./serverAddress.ts";
import { type FixSteps, IN_EDITOR, malformed, troubleOf } from "./troubleOf.ts";

export interface ModelServerOptions {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	readonly patience?: Patience;
	readonly silenceMs?: number;
	/** Steps that fix a failure; if omitted, the steps of the editor. */
	readonly steps?: FixSteps;
}

/** A server with OpenAI's protocol: Ollama, LM Studio, llama.cpp, vLLM, a cloud. Throws `ModelTrouble`. */
export type ModelServer = ReturnType<typeof createModelServer>;

const PATIENCE: Patience = { tries: 4, firstWaitMs: 500, longestWaitMs: 60_000 };
/** Maximum silence, long enough to load a large model from a slow disk. */
const SILENCE_MS = 300_000;
/** Time limit for a model's optional details, which are not worth a longer wait. */
const DETAILS_MS = 5_000;

export function createModelServer(options: ModelServerOptions) {
	const { address, key, patience = PATIENCE, silenceMs = SILENCE_MS, steps = IN_EDITOR } = options;
	const ports: ServerPorts = {
		client: createClient({ address, key, silenceMs }),
		persistently: createPersistently(patience),
		asked: { base: address.base, key, steps },
		learned: createLearned(),
	};
	return {
		models: (signal: AbortSignal) => listModels(ports, signal),
		describe: async (model: OfferedModel, signal: AbortSignal) => {
			const fetch = createGuardedFetch({ address, key, silenceMs: DETAILS_MS });
			return model.contextTokens === undefined
				? { ...model, ...(await describeModel(model.name, askAt(address.base, fetch, signal))) }
				: model;
		},
		respond: (request: ChatRequest, signal: AbortSignal) =>
			respond({ ...ports, asked: { ...ports.asked, model: request.model } }, request, signal),
	};
}

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

/** Timeout of the client library, long enough that our own limit on silence applies first. */
const DAY_MS = 86_400_000;

/** Sets every option of the client library, which would otherwise read keys and URLs from the environment. */
function createClient(options: GuardOptions): OpenAI {
	return new OpenAI({
		baseURL: options.address.base,
		apiKey: options.key ?? "none",
		adminAPIKey: null,
		organization: null,
		project: null,
		webhookSecret: null,
		maxRetries: 0,
		timeout: DAY_MS,
		logLevel: "off",
		fetch: createGuardedFetch(options),
	});
}

/** Asks a server in its own protocol, which describes models better; `undefined` if there is none. */
type AskServer = (path: string, body?: object) => Promise<unknown>;

async function describeModel(name: string, ask: AskServer): Promise<ModelDetails> {
	for (const details of [ofOllama, ofLmStudio, ofLlamaCpp]) {
		const found = await details(name, ask);
		if (found) return found;
	}
	return {};
}

/** Ollama's default window, used if neither the model nor a running instance states another. */
const OLLAMA_TOKENS = 4096;

/** Ollama silently cuts prompts to the window that it serves, even if the window of the model is larger. */
async function ofOllama(name: string, ask: AskServer): Promise<ModelDetails | undefined> {
	const shown = await ask("/api/show", { model: name });
	const capabilities = textsAt(shown, "capabilities");
	const architecture = valueAt(shown, "model_info", "general.architecture");
	const longest = numberAt(shown, "model_info", `${architecture}.context_length`);
	if (!capabilities && longest === undefined) return undefined;
	const served = setWindow(textAt(shown, "parameters")) ?? loadedWindow(await ask("/api/ps"), name);
	return {
		contextTokens: served ?? Math.min(longest ?? OLLAMA_TOKENS, OLLAMA_TOKENS),
		...(capabilities && {
			canCallTools: capabilities.includes("tools"),
			canSeeImages: capabilities.includes("vision"),
		}),
	};
}

function setWindow(parameters: string): number | undefined {
	const [, tokens] = /^num_ctx\s+(\d+)\s*$/m.exec(parameters) ?? [];
	return tokens === undefined ? undefined : Number(tokens);
}

function loadedWindow(running: unknown, name: string): number | undefined {
	const isMeant = (model: unknown) => [valueAt(model, "name"), valueAt(model, "model")].includes(name);
	return numberAt(listOf(running, "models").find(isMeant), "context_length");
}

async function ofLmStudio(name: string, ask: AskServer): Promise<ModelDetails | undefined> {
	const model = await ask(`/api/v0/models/${name.split("/").map(encodeURIComponent).join("/")}`);
	const context = numberAt(model, "loaded_context_length") ?? numberAt(model, "max_context_length");
	if (context === undefined) return undefined;
	const capabilities = textsAt(model, "capabilities");
	return {
		contextTokens: context,
		...(capabilities && { canCallTools: capabilities.includes("tool_use") }),
		canSeeImages: valueAt(model, "type") === "vlm",
	};
}

async function ofLlamaCpp(_name: string, ask: AskServer): Promise<ModelDetails | undefined> {
	const props = await ask("/props");
	const context = numberAt(props, "default_generation_settings", "n_ctx") ?? numberAt(props, "n_ctx");
	if (context === undefined) return undefined;
	const calls = valueAt(props, "chat_template_caps", "supports_tools");
	return {
		contextTokens: context,
		...(typeof calls === "boolean" && { canCallTools: calls }),
		canSeeImages: valueAt(props, "modalities", "vision") === true,
	};
}

interface ModelDetails {
	/** Maximum tokens of question and answer together. */
	readonly contextTokens?: number;
	readonly outputTokens?: number;
	readonly canCallTools?: boolean;
	readonly canSeeImages?: boolean;
}

export interface OfferedModel extends ModelDetails {
	readonly name: string;
}

const LONGEST_NAME = 300;

async function listModels({ client, persistently, asked }: ServerPorts, signal: AbortSignal) {
	const data: unknown = await persistently(async () => {
		try {
			return (await client.models.list({ signal })).data;
		} catch (thrown) {
			signal.throwIfAborted();
			throw troubleOf(thrown, asked);
		}
	}, signal);
	if (!Array.isArray(data)) throw malformed(asked, "it lists no models");
	return data.flatMap((entry: unknown) => {
		const name = textAt(entry, "id");
		return name !== "" && name.length <= LONGEST_NAME ? [{ name, ...told(entry) }] : [];
	});
}

/** Reads details that vLLM, Groq, OpenRouter and Mistral add to the list of models under different names. */
function told(entry: unknown): ModelDetails {
	const first = (...names: readonly string[]) =>
		names.map((name) => numberAt(entry, name)).find((tokens) => tokens !== undefined);
	const context = first("max_model_len", "context_length", "context_window", "max_context_length");
	const output =
		first("max_completion_tokens", "max_output_tokens") ??
		numberAt(entry, "top_provider", "max_completion_tokens");
	const modalities = textsAt(entry, "architecture", "input_modalities");
	const parameters = textsAt(entry, "supported_parameters");
	const callsFunctions = valueAt(entry, "capabilities", "function_calling");
	const sees = valueAt(entry, "capabilities", "vision");
	return {
		...(context !== undefined && { contextTokens: context }),
		...(output !== undefined && { outputTokens: output }),
		...(parameters && { canCallTools: parameters.includes("tools") }),
		...(typeof callsFunctions === "boolean" && { canCallTools: callsFunctions }),
		...(modalities && { canSeeImages: modalities.includes("image") }),
		...(typeof sees === "boolean" && { canSeeImages: sees }),
	};
}
