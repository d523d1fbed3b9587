import * as vscode from "vscode";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import type { Answer, Folder, Overview, Quote } from "../../core/knowledge/knowledge.ts";
import { locationOf } from "../folders.ts";
import { numeral, translated } from "../l10n.ts";
import { openAt } from "../problems.ts";
import { lineOf } from "../treeLines.ts";
import type { WorkerLink } from "../worker/link.ts";
import { ASK_QUESTION } from "./nodeCommands.ts";
import { documentNode, folderNode, type KnowledgeNode, kindNode, nodesIn, thingNode } from "./tree.ts";

const ABOUT = { query: "What is this about?", wantsAnswer: true, limit: 1, door: "chat" } as const;

const MOST = 500;

/** What is there, then the files; only the files if nothing is known of them yet. Asks the worker itself, which begins no index. */
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

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

function partsOf(answer: Answer, overview: Overview, worker: WorkerLink): readonly KnowledgeNode[] {
	const { kinds, questions } = overview;
	const parts = [
		{ label: vscode.l10n.t("Kinds of Things"), children: kindNodes(kinds, worker) },
		{ label: vscode.l10n.t("Questions"), children: questions.map(questionNode) },
		{ label: vscode.l10n.t("Main Documents"), children: answer.quotes.flatMap(mainNode) },
	];
	return parts.flatMap((part) => group({ ...part, isOpen: true }));
}

/** Kinds that are in sight; the others are behind one more line. */
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

/** Absent if it has nothing. */
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
			: (await things.find({ words: "", type: iri, limit: MOST, door: "chat" }, signal)).flatMap((thing) =>
					thing.place ? thingNode(thing, thing.place) : [],
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
