import { numberAt, textsAt, valueAt } from "./jsonPath.ts";
import type { RespondPorts } from "./respond.ts";
import { malformed, troubleOf } from "./troubleOf.ts";

export interface OfferedModel {
	readonly name: string;
	/** Tokens that the server allows for question and answer together. */
	readonly contextTokens?: number;
	readonly canCallTools?: boolean;
	readonly canSeeImages?: boolean;
}

/** What is longer is no name that a person could choose. */
const LONGEST_NAME = 300;

export async function listModels(ports: RespondPorts, signal: AbortSignal): Promise<OfferedModel[]> {
	const { client, persistently, asked } = ports;
	const { data } = await persistently(async () => {
		try {
			const page = await client.models.list({ signal });
			return { kind: "listed", data: page.data as unknown } as const;
		} catch (thrown) {
			signal.throwIfAborted();
			return troubleOf(thrown, asked);
		}
	}, signal);
	if (!Array.isArray(data)) throw malformed(asked, "it lists no models");
	return data.flatMap((entry: unknown) => {
		const name = valueAt(entry, "id");
		return typeof name === "string" && name !== "" && name.length <= LONGEST_NAME
			? [{ name, ...told(entry) }]
			: [];
	});
}

/** Servers add fields to the protocol, each under its own names: vLLM, Groq, OpenRouter, Mistral. */
function told(entry: unknown): Omit<OfferedModel, "name"> {
	const context = ["max_model_len", "context_length", "context_window", "max_context_length"]
		.map((field) => numberAt(entry, field))
		.find((tokens) => tokens !== undefined);
	const modalities = textsAt(entry, "architecture", "input_modalities");
	const parameters = textsAt(entry, "supported_parameters");
	const callsFunctions = valueAt(entry, "capabilities", "function_calling");
	const sees = valueAt(entry, "capabilities", "vision");
	return {
		...(context !== undefined && { contextTokens: context }),
		...(parameters && { canCallTools: parameters.includes("tools") }),
		...(typeof callsFunctions === "boolean" && { canCallTools: callsFunctions }),
		...(modalities && { canSeeImages: modalities.includes("image") }),
		...(typeof sees === "boolean" && { canSeeImages: sees }),
	};
}
