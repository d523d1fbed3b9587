import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentDefinition, AgentProblem, AgentRegistry } from "../../core/agent/chain.ts";
import { createFile } from "../folders.ts";
import { translated } from "../l10n.ts";
import type { createLiveFiles } from "../liveFiles.ts";
import { beginChat } from "../models/passagesModel.ts";
import { registerEach } from "../registerEach.ts";
import { ERROR, lineOf, openAt, problemLine, type TreeLine, treeOf, WARNING } from "../treeLines.ts";
import { ownAgentsFolder } from "./agentDocuments.ts";

interface AgentNode extends TreeLine<AgentNode> {
	readonly agent?: AgentDefinition;
}

type LiveAgents = ReturnType<typeof createLiveFiles<AgentRegistry>>;

export function registerAgentsView(live: LiveAgents): vscode.Disposable {
	const tree = treeOf(async () => sourcesOf(await live.registry()), live.onDidChange);
	const commands = registerEach<[node?: AgentNode]>({
		"copilot-ld.runAgent": (node) => runAgent(live, node),
		"copilot-ld.newAgent": () => newAgent(live),
		"copilot-ld.refreshAgents": () => live.refresh(),
	});
	return vscode.Disposable.from(
		vscode.window.createTreeView("copilot-ld.agents", { treeDataProvider: tree, showCollapseAll: true }),
		commands,
	);
}

async function runAgent(live: LiveAgents, node?: AgentNode): Promise<void> {
	const name = node?.agent?.name ?? (await pickAgent(live));
	if (name === undefined) return;
	await beginChat(`@copilot-ld /agents ${name}: `);
}

async function pickAgent(live: LiveAgents): Promise<string | undefined> {
	const items = live.registry().then(({ agents }) =>
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

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function sourcesOf({ agents, problems }: AgentRegistry): AgentNode[] {
	const byUri = Map.groupBy(problems, ({ uri }) => uri);
	const listed = agents.map((agent) => agentNode(agent, byUri.get(agent.source.uri) ?? []));
	const uris = new Set(listed.map(({ uri }) => uri));
	const broken = [...byUri].filter(([uri]) => !uris.has(uri)).map(([uri, found]) => fileNode(uri, found));
	const sources = Map.groupBy([...listed, ...broken], ({ uri }) => dirname(vscode.Uri.parse(uri).fsPath));
	return [...sources].map(([folder, entries]) => ({
		item: lineOf(
			vscode.workspace.asRelativePath(folder),
			{ icon: vscode.ThemeIcon.Folder, tooltip: folder },
			Expanded,
		),
		children: async () => entries,
	}));
}

function agentNode(agent: AgentDefinition, problems: readonly AgentProblem[]) {
	const { name, description, source, tools = [vscode.l10n.t("all")] } = agent;
	const state = problems.length > 0 ? vscode.l10n.t(", has problems") : "";
	const usable = `${vscode.l10n.t("Tools")}: ${tools.join(", ") || vscode.l10n.t("none")}`;
	const parts = {
		description,
		icon: problems.length > 0 ? WARNING : new vscode.ThemeIcon("hubot"),
		context: "agent",
		tooltip: [name, description, usable].join("\n"),
		said: `${name}, ${description}${state}`,
	};
	return { agent, ...nodeOf(name, source.uri, parts, problems) };
}

function fileNode(uri: string, problems: readonly AgentProblem[]) {
	const description = translated(problems[0]?.message ?? "");
	const name = visibleText(basename(vscode.Uri.parse(uri).fsPath));
	return nodeOf(name, uri, { description, icon: ERROR, context: "agentFile" }, problems);
}

function nodeOf(
	name: string,
	uri: string,
	parts: Parameters<typeof lineOf>[1],
	problems: readonly AgentProblem[],
) {
	return {
		uri,
		item: lineOf(name, { ...parts, command: openAt(uri) }, problems.length > 0 ? Collapsed : None),
		children: async () => problems.map(problemLine),
	};
}

async function newAgent(live: LiveAgents): Promise<void> {
	const folder = await chooseFolder();
	if (!folder) return;
	const taken = new Set((await live.registry()).agents.map(({ name }) => name));
	const name = await vscode.window.showInputBox({
		prompt: vscode.l10n.t("Name of the agent"),
		placeHolder: "reviewer",
		validateInput: (value) => mistakeIn(value, taken),
	});
	if (name === undefined) return;
	const uri = vscode.Uri.joinPath(folder, `${name}.agent.md`);
	await createFile(uri, template(name), new vscode.Range(2, 13, 2, 50));
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
	const home = ownAgentsFolder();
	const own = { label: vscode.l10n.t("Your own"), description: home.fsPath, uri: home };
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
