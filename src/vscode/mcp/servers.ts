import * as vscode from "vscode";
import { knowledgeFolders } from "../folders.ts";
import { mcpEnvironment, mcpLaunch } from "./launch.ts";

const ID = "copilot-ld.mcp";

const SETTINGS = ["copilot-LD", "copilot-ld", "files.exclude", "search.exclude"];

/** Offers our MCP program to VS Code, which starts it on demand. Offers none in an untrusted or empty workspace. */
export function registerMcpServers(context: vscode.ExtensionContext): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const change = () => changed.fire();
	return vscode.Disposable.from(
		changed,
		vscode.workspace.onDidGrantWorkspaceTrust(change),
		vscode.workspace.onDidChangeWorkspaceFolders(change),
		vscode.workspace.onDidChangeConfiguration(({ affectsConfiguration }) => {
			if (SETTINGS.some((name) => affectsConfiguration(name))) change();
		}),
		vscode.lm.registerMcpServerDefinitionProvider(ID, createProvider(context, changed.event)),
	);
}

function createProvider(
	context: vscode.ExtensionContext,
	onDidChangeMcpServerDefinitions: vscode.Event<void>,
): vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
	return {
		onDidChangeMcpServerDefinitions,
		provideMcpServerDefinitions: async () => {
			if (!vscode.workspace.isTrusted || knowledgeFolders().length === 0) return [];
			const { program, args } = await mcpLaunch(context);
			return [
				new vscode.McpStdioServerDefinition(
					"Copilot-LD",
					process.execPath,
					[program, ...args],
					// The editor's own program is a Node as well.
					process.versions["electron"] ? { ELECTRON_RUN_AS_NODE: "1" } : {},
					context.extension.packageJSON.version,
				),
			];
		},
		// What is offered is kept; secrets get only into what is started.
		resolveMcpServerDefinition: async ({ label, command, args, env, version }) => {
			const secrets = await mcpEnvironment(context.secrets);
			return new vscode.McpStdioServerDefinition(label, command, args, { ...env, ...secrets }, version);
		},
	};
}
