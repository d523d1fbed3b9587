import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentDefinition, AgentProblem, AgentRegistry } from "../../core/agent/chain.ts";
import { translated } from "../l10n.ts";
import { ERROR, openAt, problemItem, WARNING } from "../problems.ts";
import { registerEach } from "../registerEach.ts";
import { saidAsShown } from "../saidAsShown.ts";
import { type LiveAgents, ownAgentsFolder } from "./liveAgents.ts";
import type { SelectionNote, SelectionNotes } from "./selectionNotes.ts";

type AgentNode =
	| { readonly kind: "source"; readonly folder: string; readonly entries: readonly AgentNode[] }
	| {
			readonly kind: "agent";
			readonly agent: AgentDefinition;
			readonly problems: readonly AgentProblem[];
			readonly note?: SelectionNote;
	  }
	/** A file that describes no agent that could be chosen. */
	| { readonly kind: "file"; readonly uri: string; readonly problems: readonly AgentProblem[] }
	| { readonly kind: "problem"; readonly problem: AgentProblem }
	| { readonly kind: "note"; readonly text: string; readonly isChosen?: boolean };

/** The view "Agents", and its commands. Its first look starts the worker; before it, it costs nothing. */
export function registerAgentsView(live: LiveAgents, notes: SelectionNotes): vscode.Disposable {
	const tree = createAgentsTree(live, notes);
	const commands = registerEach<[node?: AgentNode]>({
		"copilot-ld.runAgent": (node) => runAgent(live, node),
		"copilot-ld.newAgent": () => newAgent(live),
		"copilot-ld.refreshAgents": () => live.refresh(),
	});
	return vscode.Disposable.from(
		tree,
		vscode.window.createTreeView("copilot-ld.agents", { treeDataProvider: tree, showCollapseAll: true }),
		commands,
	);
}

/** Begins a question to an agent, which the user completes. */
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

function createAgentsTree(
	live: LiveAgents,
	notes: SelectionNotes,
): vscode.TreeDataProvider<AgentNode> & vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const hearing = [live, notes].map(({ onDidChange }) => onDidChange(() => changed.fire()));
	return {
		onDidChangeTreeData: changed.event,
		getTreeItem: (node) => saidAsShown(itemOf(node)),
		getChildren: async (node) => (node ? childrenOf(node) : sourcesOf(await live.registry(), notes)),
		dispose: () => vscode.Disposable.from(changed, ...hearing).dispose(),
	};
}

function sourcesOf({ agents, problems }: AgentRegistry, { noteOf }: SelectionNotes): AgentNode[] {
	const byUri = Map.groupBy(problems, ({ uri }) => uri);
	const listed = agents.map((agent): Entry => {
		const note = noteOf(agent.name);
		const own = byUri.get(agent.source.uri) ?? [];
		const node = { kind: "agent", agent, problems: own, ...(note && { note }) } as const;
		return { uri: agent.source.uri, node };
	});
	const uris = new Set(agents.map(({ source }) => source.uri));
	const broken = [...byUri]
		.filter(([uri]) => !uris.has(uri))
		.map(([uri, found]): Entry => ({ uri, node: { kind: "file", uri, problems: found } }));
	const sources = Map.groupBy([...listed, ...broken], ({ uri }) => dirname(vscode.Uri.parse(uri).fsPath));
	return [...sources].map(([folder, entries]) => ({
		kind: "source",
		folder,
		entries: entries.map(({ node }) => node),
	}));
}

interface Entry {
	readonly uri: string;
	readonly node: AgentNode;
}

function childrenOf(node: AgentNode): AgentNode[] {
	switch (node.kind) {
		case "source":
			return [...node.entries];
		case "agent":
			return [...node.problems.map(toProblemNode), ...notesOf(node.note)];
		case "file":
			return node.problems.map(toProblemNode);
		case "problem":
		case "note":
			return [];
	}
}

function toProblemNode(problem: AgentProblem): AgentNode {
	return { kind: "problem", problem };
}

function notesOf(note: SelectionNote | undefined): AgentNode[] {
	if (!note) return [];
	const { isChosen, prompt, reasons } = note;
	const task = visibleText(prompt);
	const first = isChosen
		? vscode.l10n.t("Chosen last time for: {0}", task)
		: vscode.l10n.t("Not chosen last time for: {0}", task);
	return [
		{ kind: "note", text: first, isChosen },
		...reasons.map((text): AgentNode => ({ kind: "note", text: visibleText(text) })),
	];
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function itemOf(node: AgentNode): vscode.TreeItem {
	switch (node.kind) {
		case "source": {
			const item = new vscode.TreeItem(vscode.workspace.asRelativePath(node.folder), Expanded);
			item.tooltip = node.folder;
			item.iconPath = vscode.ThemeIcon.Folder;
			return item;
		}
		case "agent":
			return agentItem(node);
		case "file":
			return fileItem(node.uri, node.problems);
		case "problem":
			return agentProblemItem(node.problem);
		case "note":
			return noteItem(node);
	}
}

function agentItem({ agent, problems, note }: Extract<AgentNode, { kind: "agent" }>): vscode.TreeItem {
	const item = new vscode.TreeItem(agent.name, problems.length > 0 || note ? Collapsed : None);
	item.id = agent.source.uri;
	item.description = agent.description;
	item.iconPath = problems.length > 0 ? WARNING : new vscode.ThemeIcon("hubot");
	item.contextValue = "agent";
	item.tooltip = [agent.name, agent.description, `${vscode.l10n.t("Tools")}: ${toolsOf(agent)}`].join("\n");
	item.command = openAt(agent.source.uri);
	const state = problems.length > 0 ? vscode.l10n.t(", has problems") : "";
	const label = `${agent.name}, ${agent.description}${state}`;
	item.accessibilityInformation = { label };
	return item;
}

function toolsOf({ tools }: AgentDefinition): string {
	if (tools === undefined) return vscode.l10n.t("all");
	return tools.join(", ") || vscode.l10n.t("none");
}

function fileItem(uri: string, problems: readonly AgentProblem[]): vscode.TreeItem {
	const item = new vscode.TreeItem(visibleText(basename(vscode.Uri.parse(uri).fsPath)), Collapsed);
	item.id = uri;
	item.description = translated(problems[0]?.message ?? "");
	item.iconPath = ERROR;
	item.contextValue = "agentFile";
	item.command = openAt(uri);
	return item;
}

function agentProblemItem(problem: AgentProblem): vscode.TreeItem {
	const told = translated(problem.message);
	const item = problemItem(told, problem);
	item.description = vscode.l10n.t("line {0}", problem.line);
	item.tooltip = told;
	return item;
}

function noteItem({ text, isChosen }: Extract<AgentNode, { kind: "note" }>): vscode.TreeItem {
	const item = new vscode.TreeItem(text);
	item.tooltip = text;
	if (isChosen !== undefined) item.iconPath = new vscode.ThemeIcon(isChosen ? "check" : "circle-slash");
	return item;
}

async function newAgent(live: LiveAgents): Promise<void> {
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
