import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
	ErrorCode,
	GetPromptRequestSchema,
	ListPromptsRequestSchema,
	McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { isFailure } from "../../base/failure.ts";
import type { Prompt, Prompts } from "../../core/agent/skill.ts";

/** Serves what the user may ask for by name: skills, and prompts of files and plugins. */
export function servePrompts(server: Server, { list }: Prompts): void {
	server.setRequestHandler(ListPromptsRequestSchema, async (_, { signal }) => ({
		prompts: (await list(signal)).map(({ name, description, arguments: args }) => ({
			name,
			description,
			arguments: [...args],
		})),
	}));
	server.setRequestHandler(GetPromptRequestSchema, async ({ params }, { signal }) => {
		const prompt = (await list(signal)).find(({ name }) => name === params.name);
		if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
		const text = filled(prompt, params.arguments ?? {});
		return {
			description: prompt.description,
			messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
		};
	});
}

function filled(prompt: Prompt, values: Readonly<Record<string, string>>): string {
	try {
		return prompt.text(values);
	} catch (thrown) {
		if (!isFailure(thrown)) throw thrown;
		throw new McpError(ErrorCode.InvalidParams, thrown.message);
	}
}
