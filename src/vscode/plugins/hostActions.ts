import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { ToolContext } from "../../core/agent/tool.ts";
import { withToken } from "../cancellation.ts";

/** What VS Code does for commands of plugins, after a person or a rule allowed it. */
export const hostActions = { runCommand, callTool };

async function runCommand(command: string, args: readonly unknown[]): Promise<unknown> {
	if ((await vscode.commands.getCommands(true)).includes(command))
		return vscode.commands.executeCommand(command, ...args);
	throw new Failure("NOT_FOUND", `VS Code has no command ${command} now: an extension may be missing.`);
}

/** VS Code shows the call in the chat that it belongs to, and asks where the tool wants that. */
async function callTool(
	name: string,
	input: object,
	{ signal, origin }: Pick<ToolContext, "signal" | "origin">,
): Promise<string> {
	if (!vscode.lm.tools.some((tool) => tool.name === name))
		throw new Failure("NOT_FOUND", `VS Code knows no tool ${name} now: its MCP server may not be running.`);
	const toolInvocationToken = origin as vscode.ChatParticipantToolToken | undefined;
	const { content } = await withToken(signal, (token) =>
		vscode.lm.invokeTool(name, { input, toolInvocationToken }, token),
	);
	return content
		.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
		.filter((words) => words !== "")
		.join("\n");
}
