import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentDefinition, AgentProblem, AgentRegistry } from "../../core/agent/agentDefinition.ts";
import { translated } from "../reported.ts";
import type { LiveAgents } from "./liveAgents.ts";
import type { SelectionNote, SelectionNotes } from "./selectionNotes.ts";

/** A line of the view "Agents". */
export type AgentNode =
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

/** Agents by where their files are, with what is wrong with them and what was said of them when agents were selected. */
export function createAgentsTree(
	live: LiveAgents,
	notes: SelectionNotes,
): vscode.TreeDataProvider<AgentNode> & vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const hearing = [live, notes].map(({ onDidChange }) => onDidChange(() => changed.fire()));
	return {
		onDidChangeTreeData: changed.event,
		getTreeItem: itemOf,
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
			return problemItem(node.problem);
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
	item.command = openCommand(agent.source.uri);
	const state = problems.length > 0 ? vscode.l10n.t(", has problems") : "";
	const label = `${agent.name}, ${agent.description}${state}`;
	item.accessibilityInformation = { label };
	return item;
}

function toolsOf({ tools }: AgentDefinition): string {
	if (tools === undefined) return vscode.l10n.t("all");
	return tools.join(", ") || vscode.l10n.t("none");
}

const WARNING = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
const ERROR = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));

function fileItem(uri: string, problems: readonly AgentProblem[]): vscode.TreeItem {
	const item = new vscode.TreeItem(visibleText(basename(vscode.Uri.parse(uri).fsPath)), Collapsed);
	item.id = uri;
	item.description = translated(problems[0]?.message ?? "");
	item.iconPath = ERROR;
	item.contextValue = "agentFile";
	item.command = openCommand(uri);
	return item;
}

function problemItem({ severity, message, uri, line }: AgentProblem): vscode.TreeItem {
	const told = translated(message);
	const item = new vscode.TreeItem(told);
	item.iconPath = severity === "error" ? ERROR : WARNING;
	item.description = vscode.l10n.t("line {0}", line);
	item.tooltip = told;
	item.command = openCommand(uri, line);
	return item;
}

function noteItem({ text, isChosen }: Extract<AgentNode, { kind: "note" }>): vscode.TreeItem {
	const item = new vscode.TreeItem(text);
	item.tooltip = text;
	if (isChosen !== undefined) item.iconPath = new vscode.ThemeIcon(isChosen ? "check" : "circle-slash");
	return item;
}

function openCommand(uri: string, line = 1): vscode.Command {
	const selection = new vscode.Range(line - 1, 0, line - 1, 0);
	const open = [vscode.Uri.parse(uri), { selection }];
	return { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: open };
}
