import { numberAt, textsAt, valueAt } from "./jsonPath.ts";
import type { OfferedModel } from "./listModels.ts";

/** Asks a server in its own protocol, which says more about models than OpenAI's; `undefined` if it has none. */
export type AskServer = (path: string, body?: object) => Promise<unknown>;

type Details = Omit<OfferedModel, "name">;

/** What the server's own protocol says about a model. */
export async function describeModel(name: string, ask: AskServer): Promise<Details> {
	for (const details of [ofOllama, ofLmStudio, ofLlamaCpp]) {
		const found = await details(name, ask);
		if (found) return found;
	}
	return {};
}

/** What Ollama serves where neither the model, nor a model at work, nor the person says otherwise. */
const OLLAMA_TOKENS = 4096;

/** Ollama silently cuts a prompt to the window it serves, which is smaller than the model's own. */
async function ofOllama(name: string, ask: AskServer): Promise<Details | undefined> {
	const shown = await ask("/api/show", { model: name });
	const capabilities = textsAt(shown, "capabilities");
	const architecture = valueAt(shown, "model_info", "general.architecture");
	const longest = numberAt(shown, "model_info", `${architecture}.context_length`);
	if (!capabilities && longest === undefined) return undefined;
	const served = setWindow(valueAt(shown, "parameters")) ?? loadedWindow(await ask("/api/ps"), name);
	return {
		contextTokens: served ?? Math.min(longest ?? OLLAMA_TOKENS, OLLAMA_TOKENS),
		...(capabilities && {
			canCallTools: capabilities.includes("tools"),
			canSeeImages: capabilities.includes("vision"),
		}),
	};
}

function setWindow(parameters: unknown): number | undefined {
	const [, tokens] = /^num_ctx\s+(\d+)\s*$/m.exec(typeof parameters === "string" ? parameters : "") ?? [];
	return tokens === undefined ? undefined : Number(tokens);
}

function loadedWindow(running: unknown, name: string): number | undefined {
	const models = valueAt(running, "models");
	if (!Array.isArray(models)) return undefined;
	const isMeant = (model: unknown) => [valueAt(model, "name"), valueAt(model, "model")].includes(name);
	return numberAt(models.find(isMeant), "context_length");
}

async function ofLmStudio(name: string, ask: AskServer): Promise<Details | undefined> {
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

async function ofLlamaCpp(_name: string, ask: AskServer): Promise<Details | undefined> {
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
