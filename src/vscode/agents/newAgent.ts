import * as vscode from "vscode";
import { ownAgentsFolder } from "./agentDocuments.ts";
import type { LiveAgents } from "./liveAgents.ts";

/** Makes a file for a new agent where the person says, and opens it. */
export async function newAgent(live: LiveAgents): Promise<void> {
	const folder = await chooseFolder();
	if (!folder) return;
	const taken = new Set((await live.registryOrNone()).agents.map(({ name }) => name));
	const name = await vscode.window.showInputBox({
		prompt: vscode.l10n.t("Name of the agent"),
		placeHolder: "reviewer",
		validateInput: (value) => mistakeIn(value, taken),
	});
	if (name === undefined) return;
	const uri = vscode.Uri.joinPath(folder, `${name}.agent.md`);
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(template(name)) });
	if (!(await vscode.workspace.applyEdit(edit)))
		throw new Error(vscode.l10n.t("The file {0} could not be created.", uri.fsPath));
	await vscode.window.showTextDocument(uri, { selection: new vscode.Range(2, 13, 2, 50) });
}

function mistakeIn(name: string, taken: ReadonlySet<string>): string | undefined {
	if (!/^[A-Za-z0-9-]{1,100}$/.test(name)) return vscode.l10n.t("Use letters, digits and hyphens.");
	return taken.has(name) ? vscode.l10n.t("There is an agent with this name.") : undefined;
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
	const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
		label: vscode.l10n.t("In {0}", name),
		description: ".github/agents",
		uri: vscode.Uri.joinPath(uri, ".github", "agents"),
	}));
	const own = {
		label: vscode.l10n.t("Your own"),
		description: ownAgentsFolder().fsPath,
		uri: ownAgentsFolder(),
	};
	const placeHolder = vscode.l10n.t("Select where to create the agent");
	return (await vscode.window.showQuickPick([...folders, own], { placeHolder }))?.uri;
}

function template(name: string): string {
	return `---
name: ${name}
description: Says when to choose this agent, and what it does
keywords: []
tools: [read, search]
---
You are an agent that …

Say what it shall do, what it must not do, and what its answer looks like.
`;
}
