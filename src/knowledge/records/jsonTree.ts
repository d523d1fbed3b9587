import {
	type Alias,
	type Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	LineCounter,
	type Node,
	type Pair,
	parseAllDocuments,
	type Scalar,
	type YAMLMap,
} from "yaml";
import { isDeepYaml } from "../../base/yaml/locatedYaml.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { placeOf } from "../rdf/jsonLd/locatedJson.ts";

export type Tree = TreeValue | TreeList | TreeMap;

export interface TreeValue {
	readonly kind: "value";
	readonly text: string;
	readonly isQuoted: boolean;
	readonly lines: LineRange;
}

export interface TreeList {
	readonly kind: "list";
	readonly items: Tree[];
	readonly lines: LineRange;
}

export interface TreeMap {
	readonly kind: "map";
	readonly members: Map<string, Tree>;
	lines: LineRange;
}

const MAX_TREE_DEPTH = 8;

/** Converts JSON to a tree. Values without a known place get `lines`; `null` is omitted. */
export function jsonTree(value: unknown, lines: LineRange, depth = MAX_TREE_DEPTH): Tree | undefined {
	if (value === null || value === undefined || depth === 0) return undefined;
	if (typeof value !== "object")
		return { kind: "value", text: String(value), isQuoted: typeof value === "string", lines };
	if (Array.isArray(value)) {
		const items = value.map((item: unknown) => jsonTree(item, placeOf(item)?.lines ?? lines, depth - 1));
		return { kind: "list", items: items.filter((item) => item !== undefined), lines };
	}
	const place = placeOf(value);
	const members = new Map<string, Tree>();
	for (const [key, member] of Object.entries(value)) {
		const own = place?.members.get(key) ?? lines;
		const tree = jsonTree(member, own, depth - 1);
		if (tree) members.set(key, tree);
	}
	return { kind: "map", members, lines: place?.lines ?? lines };
}

const MAX_ALIASES = 50;

interface Reading {
	readonly document: Document;
	readonly linesOf: (node: Node) => LineRange;
	aliases: number;
	/** Ancestors of the current node. */
	readonly open: Set<unknown>;
	/** False if a node was omitted: too deep, aliased too often, or below a key that is not text. */
	isWhole: boolean;
}

/** Trees of all documents; empty if the text is not YAML or nested too deeply. */
export function yamlTrees(text: string): Tree[] {
	if (isDeepYaml(text)) return [];
	const lineCounter = new LineCounter();
	const documents = parseAllDocuments(text.replace(/\r\n?/g, "\n"), { lineCounter, logLevel: "silent" });
	if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return [];
	return documents.flatMap((document) => yamlTree(document, linesBy(lineCounter)).tree ?? []);
}

export function linesBy(lineCounter: LineCounter): Reading["linesOf"] {
	const lineAt = (offset: number) => lineCounter.linePos(offset).line;
	return ({ range }) => {
		const [start = 0, end = start] = range ?? [];
		return { start: lineAt(start), end: lineAt(Math.max(start, end - 1)) };
	};
}

export function yamlTree(document: Document, linesOf: Reading["linesOf"]) {
	const reading: Reading = { document, linesOf, aliases: 0, open: new Set(), isWhole: true };
	const tree = toTree(document.contents, reading, MAX_TREE_DEPTH);
	return { tree, isWhole: reading.isWhole };
}

function toTree(node: unknown, reading: Reading, depth: number): Tree | undefined {
	if (depth === 0) return omit(reading);
	if (isAlias(node)) return aliased(node, reading, depth);
	if (isScalar(node)) return scalarTree(node, reading);
	if (isMap(node)) return mapTree(node, reading, depth);
	if (!isSeq(node)) return undefined;
	const items = node.items.map((item) => toTree(item, reading, depth - 1));
	return { kind: "list", items: items.filter((item) => item !== undefined), lines: reading.linesOf(node) };
}

function omit(reading: Reading): undefined {
	reading.isWhole = false;
}

/** Resolves an alias. Omits an alias within its own target. */
function aliased(alias: Alias, reading: Reading, depth: number): Tree | undefined {
	const target = ++reading.aliases > MAX_ALIASES ? undefined : alias.resolve(reading.document);
	if (!target || reading.open.has(target)) return omit(reading);
	reading.open.add(target);
	const tree = toTree(target, reading, depth - 1);
	reading.open.delete(target);
	return tree;
}

function scalarTree(node: Scalar, { linesOf }: Reading): Tree | undefined {
	if (node.value === null) return undefined;
	const isQuoted = node.type !== "PLAIN";
	const isWritten = !isQuoted && typeof node.value !== "boolean";
	const text = (isWritten ? node.source : undefined) ?? String(node.value);
	return { kind: "value", text, isQuoted, lines: linesOf(node) };
}

function mapTree(node: YAMLMap, reading: Reading, depth: number): Tree {
	const members = new Map<string, Tree>();
	reading.open.add(node);
	for (const pair of node.items) addPair(members, pair, reading, depth);
	reading.open.delete(node);
	return { kind: "map", members, lines: reading.linesOf(node) };
}

function addPair(members: Map<string, Tree>, { key, value }: Pair, reading: Reading, depth: number): void {
	if (!isScalar(key)) return void omit(reading);
	const tree = toTree(value, reading, depth - 1);
	if (!tree) return;
	const { start } = reading.linesOf(key);
	// The value of an alias is on other lines.
	const end = isAlias(value) ? start : Math.max(start, tree.lines.end);
	if (key.value !== "<<") members.set(String(key.value), { ...tree, lines: { start, end } });
	else if (tree.kind === "map")
		for (const [name, member] of tree.members) if (!members.has(name)) members.set(name, member);
}
