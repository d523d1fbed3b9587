import type * as vscode from "vscode";
import { createServices } from "./activation/services.ts";
import { registerChatParticipant } from "./vscode/chat/chatParticipant.ts";
import { startCliAhead } from "./vscode/cli/cliState.ts";
import { registerCommands } from "./vscode/commands/commands.ts";
import { greet } from "./vscode/firstUses.ts";
import { registerGraphView } from "./vscode/graphView/link.ts";
import { registerTestExplorer } from "./vscode/knowledgeTests/testExplorer.ts";
import { registerKnowledgeView } from "./vscode/knowledgeView/view.ts";
import { registerLanguage } from "./vscode/language/link.ts";
import { registerMcpServers } from "./vscode/mcp/launch.ts";
import { registerPassagesModel } from "./vscode/models/passagesModel.ts";
import { showSessions } from "./vscode/sessionsView/link.ts";
import { moveOldSettings } from "./vscode/settings.ts";
import { registerTools } from "./vscode/tools/languageModelTools.ts";

/** Builds the services, and registers each feature with them. Worker, tools, loop and CLI are loaded by the first question. */
export function activate(context: vscode.ExtensionContext): void {
	const services = createServices(context);
	context.subscriptions.push(
		registerMcpServers(context),
		registerPassagesModel(),
		moveOldSettings(services.log),
		registerTools(services),
		registerCommands(services),
		startCliAhead(services.cli, { state: context.workspaceState, log: services.log }),
		registerKnowledgeView(services),
		registerLanguage(services),
		registerGraphView(services),
		showSessions(services),
		registerTestExplorer(services),
		registerChatParticipant(services),
	);
	void greet(context.globalState, services.log);
}
