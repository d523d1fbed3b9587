import * as vscode from "vscode";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import type { Catalog, FolderEntry } from "../../core/knowledge/catalog.ts";
import { type DocumentRecord, isFlawed, type Resource } from "../../core/knowledge/document.ts";
import type { NamedThing, Place } from "../../core/knowledge/graph.ts";
import { amounts, numeral, translated } from "../l10n.ts";
import { ERROR, openAt, WARNING } from "../problems.ts";
import { lineOf, type TreeLine } from "../treeLines.ts";
import type { Subject } from "./subject.ts";

export interface KnowledgeNode extends TreeLine<KnowledgeNode> {
	readonly subject?: Subject;
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

export async function nodesIn(uri: string, catalog: Catalog): Promise<KnowledgeNode[]> {
	const { folders, documents } = await catalog.browse(uri, new AbortController().signal);
	return [
		...folders.map((folder) => folderNode(folder, catalog)),
		...documents.map((record) => documentNode(record, catalog)),
	];
}

export function folderNode(folder: NamedFolder, catalog: Catalog): KnowledgeNode {
	const { uri, name, indexed, failed = 0, flawed = 0 } = folder;
	const trouble = [
		failed > 0 && vscode.l10n.t("{0} failed", numeral(failed)),
		flawed > 0 && vscode.l10n.t("{0} with problems", numeral(flawed)),
	].filter((text) => text !== false);
	const counts = indexed !== undefined && {
		description: [numeral(indexed), ...trouble].join(", "),
		said: [name, amounts.files(indexed), ...trouble].join(", "),
	};
	const resourceUri = vscode.Uri.parse(uri);
	const line = lineOf(name, { icon: vscode.ThemeIcon.Folder, context: "folder", ...counts }, Collapsed);
	return {
		item: Object.assign(line, { resourceUri }),
		subject: { uri: resourceUri },
		children: () => nodesIn(uri, catalog),
	};
}

/** Counts are absent if it is a root. */
type NamedFolder = { readonly uri: string; readonly name: string } & Partial<FolderEntry>;

const STATE_ICONS = {
	indexed: vscode.ThemeIcon.File,
	skipped: new vscode.ThemeIcon("circle-slash"),
	failed: ERROR,
} as const;

/** Maximum number of problems in a tooltip; the Problems view has all. */
const TOLD = 5;

export function documentNode(record: DocumentRecord, catalog: Catalog): KnowledgeNode {
	const { state, title, resources } = record;
	const uri = vscode.Uri.parse(record.uri);
	const counts = countsOf(record);
	const isIndexed = state.kind === "indexed";
	const parts = {
		icon: isFlawed(record) ? WARNING : STATE_ICONS[state.kind],
		context: "document",
		command: openAt(record.uri),
		description: counts,
		tooltip: isIndexed ? [title, counts, ...problemLines(record)].join("\n") : translated(state.reason),
	};
	const line = lineOf(lastSegment(uri.path), parts, resources > 0 ? Collapsed : None);
	return {
		item: Object.assign(line, { resourceUri: uri }),
		subject: { uri },
		children: async () =>
			byClass(await catalog.resources(record.uri, new AbortController().signal), record.uri),
	};
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

/** A resource of several classes is under each of them. */
function byClass(resources: readonly Resource[], uri: string): KnowledgeNode[] {
	const named = resources.flatMap((resource) => {
		const { types } = resource;
		const names = types.length > 0 ? types.map(lastSegment) : [vscode.l10n.t("without a class")];
		return names.map((name) => ({ name, resource }));
	});
	const classes = Map.groupBy(named, ({ name }) => name);
	return [...classes]
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([name, members]) => {
			const things = members.map(({ resource }) => thingNode(resource, { uri, lines: resource.lines }));
			return kindNode(name, members.length, async () => things);
		});
}

/** A kind of things; of documents if it is the ending of their names. */
export function kindNode(
	name: string,
	count: number,
	children: () => Promise<KnowledgeNode[]>,
	isEnding = false,
): KnowledgeNode {
	const said = `${name}, ${isEnding ? amounts.files(count) : amounts.resources(count)}`;
	const icon = isEnding ? vscode.ThemeIcon.File : new vscode.ThemeIcon("symbol-class");
	return { item: lineOf(name, { icon, description: numeral(count), said }, Collapsed), children };
}

/** A thing opens its lines; its graph and references are in its menu. */
export function thingNode({ id, label }: NamedThing, { uri: file, lines }: Place): KnowledgeNode {
	const uri = vscode.Uri.parse(file);
	const range = new vscode.Range(lines.start - 1, 0, lines.end - 1, Number.MAX_SAFE_INTEGER);
	return {
		item: lineOf(label, {
			icon: new vscode.ThemeIcon("symbol-object"),
			description: `${lastSegment(uri.path)}:${lines.start}`,
			tooltip: id,
			context: "resource",
			command: openAt(file, lines.start),
		}),
		subject: { uri, range, label, iri: id },
	};
}
