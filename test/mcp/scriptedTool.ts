import type { Tool, ToolContext, ToolResult } from "../../src/core/agent/tool.ts";

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

export function waiting(name: string): {
	readonly tool: Tool;
	readonly started: Promise<void>;
	readonly cancelled: Promise<void>;
} {
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
