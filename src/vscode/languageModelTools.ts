import * as vscode from "vscode";
import type { ToolCall } from "../core/message.ts";
import type { Tool, ToolDeclaration } from "../core/tool.ts";
import { signalOf, withToken } from "./cancellation.ts";

/** VS Code wants a prefix that tells whose a tool is. */
const PREFIX = "copilot-ld_";

export function qualifiedName(tool: { readonly name: string }): string {
	return PREFIX + tool.name;
}

/** Registers our tools for every chat and for `vscode.lm.invokeTool`. */
export function registerTools(tools: readonly Tool[]): vscode.Disposable {
	return vscode.Disposable.from(
		...tools.map((tool) =>
			vscode.lm.registerTool<object>(qualifiedName(tool), {
				prepareInvocation: ({ input }) => ({ invocationMessage: announce(tool, input) }),
				invoke: async ({ input, toolInvocationToken }, token) => {
					const context = { signal: signalOf(token), origin: toolInvocationToken };
					const text = await tool.run(input, context);
					return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
				},
			}),
		),
	);
}

/** The input is a model's and may be wrong; `invoke` says so in better words. */
function announce(tool: Tool, input: object): string {
	try {
		return tool.announce(input);
	} catch {
		return tool.title;
	}
}

/** The tools that a turn may call: ours but for the one that asks again, and those that the person named. */
export function toolsForTurn(named: readonly vscode.ChatLanguageModelToolReference[]): ToolDeclaration[] {
	const wanted = new Set(named.map(({ name }) => name));
	const itself = qualifiedName({ name: "ask" });
	return vscode.lm.tools
		.filter(({ name }) => name !== itself && (name.startsWith(PREFIX) || wanted.has(name)))
		.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema ?? {} }));
}

/** Calls a tool through VS Code, which shows the call and asks the person where the tool wants that. */
export async function invokeTool(
	{ name, input }: ToolCall,
	origin: vscode.ChatParticipantToolToken | undefined,
	signal: AbortSignal,
): Promise<string> {
	const options = { input: Object(input), toolInvocationToken: origin };
	const { content } = await withToken(signal, (token) => vscode.lm.invokeTool(name, options, token));
	return content
		.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
		.filter((text) => text !== "")
		.join("\n");
}
