import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";

interface ChatRequest {
	readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** A tool's name as the CLI gives it to its model, and the input. */
export interface ScriptedCall {
	readonly name: string;
	readonly arguments: object;
}

/**
 * Stands in for the cloud model of the Copilot CLI, as an OpenAI-compatible endpoint: it calls one tool, and then says
 * what the tool gave. Resolves to its address.
 */
export async function startScriptedProvider(t: TestContext, call: ScriptedCall): Promise<string> {
	const server = createServer(async (request, response) => {
		const { messages } = (await json(request)) as ChatRequest;
		const result = messages.findLast(({ role }) => role === "tool");
		const toolCall = { name: call.name, arguments: JSON.stringify(call.arguments) };
		const delta = result
			? { role: "assistant", content: JSON.stringify(result.content) }
			: { role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: toolCall }] };
		const chunk = (choice: object) => {
			const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "scripted" };
			return `data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }] })}\n\n`;
		};
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(chunk({ delta, finish_reason: null }));
		response.write(chunk({ delta: {}, finish_reason: result ? "stop" : "tool_calls" }));
		response.end("data: [DONE]\n\n");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => {
		server.close();
		server.closeAllConnections();
	});
	const address = server.address();
	return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
}
