import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import { type AgentNode, createAgentsTree } from "./agentsTree.ts";
import type { LiveAgents } from "./liveAgents.ts";
import { newAgent } from "./newAgent.ts";
import type { SelectionNotes } from "./selectionNotes.ts";

/** The view "Agents", and its commands. Its first look starts the worker; before it, it costs nothing. */
export function registerAgentsView(live: LiveAgents, notes: SelectionNotes): vscode.Disposable {
	const tree = createAgentsTree(live, notes);
	const commands: Record<string, (node?: AgentNode) => unknown> = {
		"copilot-ld.runAgent": (node) => runAgent(live, node),
		"copilot-ld.newAgent": () => newAgent(live),
		"copilot-ld.refreshAgents": () => live.refresh(),
	};
	return vscode.Disposable.from(
		tree,
		vscode.window.createTreeView("copilot-ld.agents", { treeDataProvider: tree, showCollapseAll: true }),
		...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
	);
}

/** Begins a question to an agent; the person says the rest. */
async function runAgent(live: LiveAgents, node?: AgentNode): Promise<void> {
	const name = node?.kind === "agent" ? node.agent.name : await pickAgent(live);
	if (name === undefined) return;
	const query = `@copilot-ld /agents ${name}: `;
	await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
}

async function pickAgent(live: LiveAgents): Promise<string | undefined> {
	const items = live.registryOrNone().then(({ agents }) =>
		agents
			.filter(({ mayBeAsked }) => mayBeAsked)
			.map(({ name, description, source }) => {
				const detail = vscode.workspace.asRelativePath(vscode.Uri.parse(source.uri));
				return { label: name, description: visibleText(description), detail };
			}),
	);
	const placeHolder = vscode.l10n.t("Select an agent");
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.label;
}
