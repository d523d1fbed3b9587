import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { portOf } from "../support/listening.ts";

interface ChatRequest {
	readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** A tool's name as the CLI gives it to its model, and the input. */
export interface ScriptedCall {
	readonly name: string;
	readonly arguments: object;
}

/**
 * Stands in for the cloud model of the Copilot CLI, as an OpenAI-compatible endpoint: it calls some tools, one after the
 * other, and then says what they gave. Resolves to its address.
 */
export async function startScriptedProvider(t: TestContext, calls: readonly ScriptedCall[]): Promise<string> {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as ChatRequest;
		const results = messages.filter(({ role }) => role === "tool");
		const call = calls[results.length];
		const written = call && { name: call.name, arguments: JSON.stringify(call.arguments) };
		const id = `call_${results.length}`;
		const delta = written
			? { role: "assistant", tool_calls: [{ index: 0, id, type: "function", function: written }] }
			: { role: "assistant", content: results.map(({ content }) => JSON.stringify(content)).join("\n") };
		const chunk = (choice: object) => {
			const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "scripted" };
			return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }] })}\n\n`;
		};
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(chunk({ delta, finish_reason: null }));
		response.write(chunk({ delta: {}, finish_reason: call ? "tool_calls" : "stop" }));
		response.end("data: [DONE]\n\n");
	});
	return `http://127.0.0.1:${await portOf(t, server)}/v1`;
}
