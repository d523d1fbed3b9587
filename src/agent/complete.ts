import type { Message } from "../core/agent/agentEvent.ts";
import type { Model } from "./ports.ts";

export async function complete(
	model: Model,
	messages: readonly Message[],
	signal: AbortSignal,
): Promise<string> {
	let text = "";
	for await (const part of model.respond(messages, [], signal)) if (part.kind === "text") text += part.text;
	return text;
}
