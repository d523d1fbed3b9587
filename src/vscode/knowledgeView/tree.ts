import * as vscode from "vscode";
import type { Catalog, FolderEntry } from "../../core/knowledge/catalog.ts";
import { type DocumentRecord, isFlawed, type Resource } from "../../core/knowledge/document.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { amounts, numeral, translated } from "../l10n.ts";
import { ERROR, openAt, WARNING } from "../problems.ts";
import { saidAsShown } from "../saidAsShown.ts";

export type KnowledgeNode =
	| { readonly kind: "folder"; readonly entry: Pick<FolderEntry, "uri" | "name"> & Partial<FolderEntry> }
	| { readonly kind: "document"; readonly record: DocumentRecord }
	| {
			readonly kind: "class";
			readonly name: string;
			readonly uri: string;
			readonly members: readonly Resource[];
	  }
	| { readonly kind: "resource"; readonly resource: Resource; readonly uri: string };

interface TreeDeps {
	readonly catalog: Catalog;
	folders(): readonly Folder[];
	readonly onDidChange: vscode.Event<void>;
}

export function createKnowledgeTree({
	catalog,
	folders,
	onDidChange,
}: TreeDeps): vscode.TreeDataProvider<KnowledgeNode> {
	return {
		onDidChangeTreeData: onDidChange,
		getTreeItem: (node) => saidAsShown(itemOf(node)),
		getChildren: async (node) => {
			const [only, ...others] = folders();
			if (node) return childrenOf(catalog, node);
			if (only && others.length === 0) return childrenOf(catalog, { kind: "folder", entry: only });
			return folders().map((entry): KnowledgeNode => ({ kind: "folder", entry }));
		},
	};
}

async function childrenOf(catalog: Catalog, node: KnowledgeNode): Promise<KnowledgeNode[]> {
	const { signal } = new AbortController();
	switch (node.kind) {
		case "folder": {
			const listing = await catalog.browse(node.entry.uri, signal);
			return [
				...listing.folders.map((entry): KnowledgeNode => ({ kind: "folder", entry })),
				...listing.documents.map((record): KnowledgeNode => ({ kind: "document", record })),
			];
		}
		case "document":
			return byClass(await catalog.resources(node.record.uri, signal), node.record.uri);
		case "class":
			return node.members.map((resource) => ({ kind: "resource", resource, uri: node.uri }));
		case "resource":
			return [];
	}
}

/** A resource of several classes is under each of them. */
function byClass(resources: readonly Resource[], uri: string): KnowledgeNode[] {
	const classes = Map.groupBy(
		resources.flatMap((resource) => classNamesOf(resource).map((name) => ({ name, resource }))),
		({ name }) => name,
	);
	return [...classes]
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([name, members]) => ({
			kind: "class",
			name,
			uri,
			members: members.map(({ resource }) => resource),
		}));
}

function classNamesOf({ types }: Resource): string[] {
	const names = types.map((type) => type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf("#")) + 1));
	return names.length > 0 ? names : [vscode.l10n.t("without a class")];
}

function itemOf(node: KnowledgeNode): vscode.TreeItem {
	switch (node.kind) {
		case "folder":
			return folderItem(node.entry);
		case "document":
			return documentItem(node.record);
		case "class": {
			const item = new vscode.TreeItem(node.name, vscode.TreeItemCollapsibleState.Collapsed);
			item.description = numeral(node.members.length);
			item.accessibilityInformation = { label: `${node.name}, ${amounts.resources(node.members.length)}` };
			item.iconPath = new vscode.ThemeIcon("symbol-class");
			return item;
		}
		case "resource":
			return resourceItem(node.resource, node.uri);
	}
}

function folderItem(entry: Extract<KnowledgeNode, { kind: "folder" }>["entry"]): vscode.TreeItem {
	const item = new vscode.TreeItem(entry.name, vscode.TreeItemCollapsibleState.Collapsed);
	item.resourceUri = vscode.Uri.parse(entry.uri);
	item.iconPath = vscode.ThemeIcon.Folder;
	item.contextValue = "folder";
	const { indexed, failed = 0, flawed = 0 } = entry;
	if (indexed === undefined) return item;
	const trouble = [
		...(failed > 0 ? [vscode.l10n.t("{0} failed", numeral(failed))] : []),
		...(flawed > 0 ? [vscode.l10n.t("{0} with problems", numeral(flawed))] : []),
	];
	item.description = [numeral(indexed), ...trouble].join(", ");
	item.accessibilityInformation = { label: [entry.name, amounts.files(indexed), ...trouble].join(", ") };
	return item;
}

const STATE_ICONS = {
	indexed: vscode.ThemeIcon.File,
	skipped: new vscode.ThemeIcon("circle-slash"),
	failed: ERROR,
} as const;

/** Maximum number of problems in a tooltip; the Problems view has all. */
const TOLD = 5;

function documentItem(record: DocumentRecord): vscode.TreeItem {
	const { Collapsed, None } = vscode.TreeItemCollapsibleState;
	const uri = vscode.Uri.parse(record.uri);
	const item = new vscode.TreeItem(
		uri.path.slice(uri.path.lastIndexOf("/") + 1),
		record.resources > 0 ? Collapsed : None,
	);
	item.id = record.uri;
	item.resourceUri = uri;
	item.iconPath = isFlawed(record) ? WARNING : STATE_ICONS[record.state.kind];
	item.contextValue = "document";
	item.command = { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: [uri] };
	item.description = countsOf(record);
	item.tooltip =
		record.state.kind === "indexed"
			? [record.title, countsOf(record), ...problemLines(record)].join("\n")
			: translated(record.state.reason);
	return item;
}

function problemLines({ problems }: DocumentRecord): string[] {
	const told = problems
		.slice(0, TOLD)
		.map(({ lines, message }) => vscode.l10n.t("Line {0}: {1}", lines.start, translated(message)));
	const left = problems.length - told.length;
	return left > 0 ? [...told, vscode.l10n.t("and {0} more", numeral(left))] : told;
}

function countsOf({ state, passages, resources, problems }: DocumentRecord): string {
	if (state.kind === "skipped") return vscode.l10n.t("skipped: {0}", translated(state.reason));
	if (state.kind === "failed") return vscode.l10n.t("failed: {0}", translated(state.reason));
	const counts = [amounts.passages(passages)];
	if (resources > 0) counts.push(amounts.resources(resources));
	if (problems.length > 0) counts.push(amounts.problems(problems.length));
	return counts.join(", ");
}

function resourceItem({ id, label, lines }: Resource, uri: string): vscode.TreeItem {
	const item = new vscode.TreeItem(label);
	item.description = vscode.l10n.t("line {0}", lines.start);
	item.tooltip = id;
	item.iconPath = new vscode.ThemeIcon("symbol-object");
	item.contextValue = "resource";
	item.command = openAt(uri, lines.start);
	return item;
}
