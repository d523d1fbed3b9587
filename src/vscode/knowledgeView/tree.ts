import * as vscode from "vscode";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import type { Catalog, FolderEntry } from "../../core/knowledge/catalog.ts";
import { type DocumentRecord, isFlawed, type Resource } from "../../core/knowledge/document.ts";
import type { NamedThing, Place } from "../../core/knowledge/graph.ts";
import type { Answer, Folder, Overview, Quote } from "../../core/knowledge/knowledge.ts";
import { locationOf } from "../folders.ts";
import { amounts, numeral, translated } from "../l10n.ts";
import { ERROR, lineOf, openAt, type TreeLine, WARNING } from "../treeLines.ts";
import type { WorkerLink } from "../worker/link.ts";
import { ASK_QUESTION } from "./nodeCommands.ts";
import type { Subject } from "./subject.ts";

const ABOUT = { query: "What is this about?", wantsAnswer: true, limit: 1, channel: "chat" } as const;

const MOST = 500;

/** Returns the overview, then the files; before the first index, only the files. Does not start an index. */
export async function rootsOf(worker: WorkerLink, folders: readonly Folder[]): Promise<KnowledgeNode[]> {
	const { catalog, knowledge } = worker;
	const [only, ...others] = folders;
	if (!only) return [];
	const files = async () =>
		others.length === 0
			? nodesIn(only.uri, catalog)
			: folders.map(({ uri, name }) => folderNode({ uri, name }, catalog));
	const { signal } = new AbortController();
	const looks = [knowledge.search(ABOUT, signal), catalog.documents({}, signal)] as const;
	const [{ answer }, unindexed] = await Promise.all(looks);
	if (!answer?.overview) return files();
	const reasons = Map.groupBy(unindexed, ({ state }) =>
		state.kind === "indexed" ? "" : translated(state.reason),
	);
	return [
		...partsOf(answer, answer.overview, worker),
		...group({
			label: vscode.l10n.t("Not Indexed"),
			description: numeral(unindexed.length),
			children: [...reasons].map(([reason, records]) => ({
				item: lineOf(reason, { icon: icon("circle-slash"), description: numeral(records.length) }, Collapsed),
				children: async () => records.map((record) => documentNode(record, catalog)),
			})),
		}),
		{
			item: lineOf(vscode.l10n.t("Files"), { icon: icon("files"), id: "files" }, Collapsed),
			children: files,
		},
	];
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function partsOf(answer: Answer, overview: Overview, worker: WorkerLink): readonly KnowledgeNode[] {
	const { kinds, questions } = overview;
	const parts = [
		{ label: vscode.l10n.t("Kinds of Things"), children: kindNodes(kinds, worker) },
		{ label: vscode.l10n.t("Questions"), children: questions.map(questionNode) },
		{ label: vscode.l10n.t("Main Documents"), children: answer.quotes.flatMap(mainNode) },
	];
	return parts.flatMap((part) => group({ ...part, isOpen: true }));
}

/** Number of kinds that are listed directly. All further kinds are grouped under one more line. */
const NEAR = 10;

function kindNodes(kinds: Overview["kinds"], worker: WorkerLink): KnowledgeNode[] {
	const nodes = kinds.map((kind) =>
		kindNode(kind.name, kind.count, () => membersOf(kind, worker), kind.iri === undefined),
	);
	const others = nodes.slice(NEAR);
	const label = vscode.l10n.t("and {0} more", numeral(others.length));
	return [...nodes.slice(0, NEAR), ...group({ label, children: others })];
}

interface Group {
	readonly label: string;
	readonly children: readonly KnowledgeNode[];
	readonly description?: string;
	readonly isOpen?: boolean;
}

function group({ label, children, isOpen = false, ...description }: Group): KnowledgeNode[] {
	if (children.length === 0) return [];
	const parts = { icon: icon("list-unordered"), id: label, ...description };
	const item = lineOf(label, parts, isOpen ? Expanded : Collapsed);
	return [{ item, children: async () => [...children] }];
}

async function membersOf(
	{ name, count, iri }: Overview["kinds"][number],
	{ things, catalog }: WorkerLink,
): Promise<KnowledgeNode[]> {
	const { signal } = new AbortController();
	const members =
		iri === undefined
			? (await catalog.documents({ ending: name }, signal))
					.slice(0, MOST)
					.map((record) => documentNode(record, catalog))
			: (await things.find({ words: "", type: iri, limit: MOST, channel: "chat" }, signal)).flatMap(
					(thing) => (thing.place ? thingNode(thing, thing.place) : []),
				);
	const left = count - members.length;
	if (left <= 0 || members.length < MOST) return members;
	const command = { command: "copilot-ld.search", title: vscode.l10n.t("Search Knowledge Base") };
	const more = lineOf(vscode.l10n.t("and {0} more", numeral(left)), { icon: icon("search"), command });
	return [...members, { item: more }];
}

function questionNode(question: string): KnowledgeNode {
	const title = vscode.l10n.t("Ask");
	const command = { command: ASK_QUESTION, title, arguments: [`@copilot-ld ${question}`] };
	return { item: lineOf(question, { icon: icon("comment-discussion"), command, tooltip: question }) };
}

function mainNode({ citation, parts }: Quote): KnowledgeNode[] {
	const location = locationOf(citation);
	if (!location) return [];
	const { uri, range } = location;
	const name = lastSegment(citation.path);
	const item = lineOf(name, {
		icon: icon("book"),
		description: citation.path.slice(0, -name.length),
		tooltip: parts.map(({ text }) => text).join(" "),
		context: "document",
		command: openAt(uri.toString(), range.start.line + 1),
	});
	return [{ item, subject: { uri } }];
}

function icon(name: string): vscode.ThemeIcon {
	return new vscode.ThemeIcon(name);
}

export interface KnowledgeNode extends TreeLine<KnowledgeNode> {
	readonly subject?: Subject;
}

async function nodesIn(uri: string, catalog: Catalog): Promise<KnowledgeNode[]> {
	const { folders, documents } = await catalog.browse(uri, new AbortController().signal);
	return [
		...folders.map((folder) => folderNode(folder, catalog)),
		...documents.map((record) => documentNode(record, catalog)),
	];
}

function folderNode(folder: NamedFolder, catalog: Catalog): KnowledgeNode {
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

type NamedFolder = { readonly uri: string; readonly name: string } & Partial<FolderEntry>;

const STATE_ICONS = {
	indexed: vscode.ThemeIcon.File,
	skipped: new vscode.ThemeIcon("circle-slash"),
	failed: ERROR,
} as const;

/** Maximum number of problems in a tooltip; the Problems view has all. */
const TOLD = 5;

function documentNode(record: DocumentRecord, catalog: Catalog): KnowledgeNode {
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

function kindNode(
	name: string,
	count: number,
	children: () => Promise<KnowledgeNode[]>,
	isEnding = false,
): KnowledgeNode {
	const said = `${name}, ${isEnding ? amounts.files(count) : amounts.resources(count)}`;
	const icon = isEnding ? vscode.ThemeIcon.File : new vscode.ThemeIcon("symbol-class");
	return { item: lineOf(name, { icon, description: numeral(count), said }, Collapsed), children };
}

function thingNode({ id, label }: NamedThing, { uri: file, lines }: Place): KnowledgeNode {
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
