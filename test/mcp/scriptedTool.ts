import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Tool, ToolContext, ToolResult } from "../../src/core/agent/tool.ts";
import { createMcpServer, type ServerOptions } from "../../src/mcp/server/server.ts";
export async function connectTo(t: TestContext, options: Partial<ServerOptions>): Promise<Client> {
	const server = createMcpServer({ version: "1.2.3", tools: [], isStructured: true, ...options });
	const [ours, theirs] = InMemoryTransport.createLinkedPair();
	const client = new Client({ name: "test", version: "1" });
	await Promise.all([server.connect(ours), client.connect(theirs)]);
	t.after(() => client.close());
	return client;
}

export function scriptedTool(
	name: string,
	run: (input: unknown, context: ToolContext) => Promise<ToolResult>,
): Tool {
	return {
		...{ name, run, title: name, summary: name, description: name, announce: () => name },
		inputSchema: { type: "object", properties: {} },
		outputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
	};
}

export function answering(name: string, answer: string): Tool {
	return scriptedTool(name, async () => ({ text: answer, structured: { answer } }));
}

export function waiting(name: string) {
	const { promise: started, resolve: start } = Promise.withResolvers<void>();
	const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
	const tool = scriptedTool(name, (_input, { signal }) => {
		start();
		return new Promise((_resolve, reject) => {
			signal.addEventListener("abort", () => {
				cancel();
				reject(signal.reason);
			});
		});
	});
	return { tool, started, cancelled };
}
