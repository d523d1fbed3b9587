import * as vscode from "vscode";
import type { ToolCall } from "../core/message.ts";
import type { Tool, ToolDeclaration } from "../core/tool.ts";
import { signalOf, withToken } from "./cancellation.ts";

/** VS Code wants a prefix that tells whose a tool is. */
const PREFIX = "copilot-ld_";
/** The tool that asks this very agent. */
const ITSELF = `${PREFIX}ask`;

/** Registers our tools, by their names in the manifest. They are loaded by the first call. */
export function registerTools(
	names: readonly string[],
	load: () => Promise<readonly Tool[]>,
): vscode.Disposable {
	const find = async (name: string): Promise<Tool> => {
		const tool = (await load()).find((candidate) => PREFIX + candidate.name === name);
		if (!tool) throw new TypeError(`The manifest names a tool ${name} that the code does not have.`);
		return tool;
	};
	return vscode.Disposable.from(
		...names.map((name) =>
			vscode.lm.registerTool<object>(name, {
				prepareInvocation: async ({ input }) => prepare(await find(name), input),
				invoke: async ({ input, toolInvocationToken }, token) => {
					const tool = await find(name);
					const { text } = await tool.run(input, { signal: signalOf(token), origin: toolInvocationToken });
					return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
				},
			}),
		),
	);
}

/** The input is a model's and may be wrong; `invoke` says so in better words. */
function prepare(tool: Tool, input: object): vscode.PreparedToolInvocation {
	try {
		const invocationMessage = tool.announce(input);
		const confirmationMessages = tool.confirm?.(input);
		return { invocationMessage, ...(confirmationMessages && { confirmationMessages }) };
	} catch {
		return { invocationMessage: tool.title };
	}
}

/** The tools that a turn may call: ours but for the one that asks again, and those that the person named. */
export function toolsForTurn(named: readonly vscode.ChatLanguageModelToolReference[]): ToolDeclaration[] {
	const wanted = new Set(named.map(({ name }) => name));
	return vscode.lm.tools
		.filter(({ name }) => name !== ITSELF && (name.startsWith(PREFIX) || wanted.has(name)))
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
