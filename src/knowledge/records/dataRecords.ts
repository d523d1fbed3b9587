import { parseDocument } from "yaml";
import { isDeepYaml } from "../../base/yaml/locatedYaml.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type ParsedDocument, problemAt } from "../../core/knowledge/document.ts";
import { fileEndings, fileName, type Line, only, type Source, span, splitLines } from "../passages/source.ts";
import { readLocatedJson } from "../rdf/jsonLd/locatedJson.ts";
import { jsonTree, type Tree, type TreeMap, yamlTree, yamlTrees } from "./jsonTree.ts";
import { createRecords } from "./records.ts";
import { addTree } from "./treeRecords.ts";

/** Maximum number of characters, because the YAML parser takes a hundred times as much memory. */
const MAX_YAML = 1_000_000;

const LOCK_FILE = /(?:^|[-.])lock\.\w+$/;

type ReadTrees = (text: string) => readonly (Tree | undefined)[];

const READERS: ReadonlyMap<string, ReadTrees> = new Map<string, ReadTrees>([
	["json", jsonTrees],
	["jsonc", jsonTrees],
	["yaml", yamlTrees],
	["yml", yamlTrees],
	["toml", (text) => [tomlTree(splitLines(text))]],
]);

export function withDataRecords(document: ParsedDocument, { uri, text }: Source): ParsedDocument {
	const read = READERS.get(fileEndings(uri).at(-1) ?? "");
	if (!read || LOCK_FILE.test(fileName(uri).toLowerCase())) return document;
	if (read === yamlTrees && text.length > MAX_YAML)
		return { ...document, problems: [...document.problems, problemAt(1, TOO_LONG, "warning")] };
	const [first, ...others] = read(text).filter((tree) => tree !== undefined);
	if (!first) return document;
	const records = createRecords();
	const tree: Tree = others.length > 0 ? { kind: "list", items: [first, ...others], lines: only(1) } : first;
	addTree(tree, uri, records);
	return records.addTo(document);
}

const TOO_LONG =
	"This file is long: its text is searchable, but its entries cannot be counted. Split it into smaller files.";

function jsonTrees(text: string): (Tree | undefined)[] {
	const { value, lines } = readLocatedJson(text);
	return [jsonTree(value, lines)];
}

const NAME = `(?:[\\w-]+|"[^"]*"|'[^']*')`;
const DOTTED = new RegExp(`${NAME}(?:\\s*\\.\\s*${NAME})*`).source;
const SECTION = new RegExp(`^\\s*(\\[\\[?)\\s*(${DOTTED})\\s*\\]\\]?\\s*(?:#.*)?$`);
const ENTRY = new RegExp(`^\\s*(${DOTTED})\\s*=\\s*(.*)$`);
const MAX_ARRAY = 1000;

/** Parses a subset of TOML: values and inline tables on one line, and arrays over several lines. */
function tomlTree(lines: readonly Line[]): Tree {
	const root: TreeMap = { kind: "map", members: new Map(), lines: { start: 1, end: lines.length } };
	let table = root;
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at];
		const [, bracket = "", section = ""] = SECTION.exec(line?.text ?? "") ?? [];
		if (line && bracket) table = openTable(root, bracket, section, line.lines);
		else at = readEntry(table, lines, at);
	}
	return root;
}

/** Returns the index of the last line read. */
function readEntry(table: TreeMap, lines: readonly Line[], at: number): number {
	const [, key = "", rest = ""] = ENTRY.exec(lines[at]?.text ?? "") ?? [];
	if (key === "") return at;
	const end = endOfArray(lines, at, rest);
	const more = lines.slice(at + 1, end + 1).map(({ text }) => text);
	const range = span(lines[at]?.lines ?? only(1), lines[end]?.lines ?? only(at + 1));
	const value = valueIn([rest, ...more].join("\n"), range);
	const path = stepsOf(key);
	if (value) tableAt(table, path.slice(0, -1), range).members.set(path.at(-1) ?? "", value);
	table.lines = span(table.lines, range);
	return end;
}

function openTable(root: TreeMap, bracket: string, section: string, lines: LineRange): TreeMap {
	const path = stepsOf(section);
	if (bracket === "[") return tableAt(root, path, lines);
	const outer = tableAt(root, path.slice(0, -1), lines);
	const name = path.at(-1) ?? "";
	const known = outer.members.get(name);
	const list = known?.kind === "list" ? known : { kind: "list" as const, items: [], lines };
	const item: TreeMap = { kind: "map", members: new Map(), lines };
	list.items.push(item);
	outer.members.set(name, list);
	return item;
}

/** Table at a path, created if missing. In a list of tables, the last table. */
function tableAt(from: TreeMap, path: readonly string[], lines: LineRange): TreeMap {
	return path.slice(0, 20).reduce((map, name) => {
		const known = map.members.get(name);
		const next = known?.kind === "list" ? known.items.at(-1) : known;
		if (next?.kind === "map") return next;
		const made: TreeMap = { kind: "map", members: new Map(), lines };
		map.members.set(name, made);
		return made;
	}, from);
}

function stepsOf(key: string): string[] {
	return [...key.matchAll(new RegExp(NAME, "g"))].map(([name]) => name.replace(/^(["'])(.*)\1$/, "$2"));
}

function endOfArray(lines: readonly Line[], at: number, first: string): number {
	if (!first.startsWith("[") || /\]\s*(?:#.*)?$/.test(first)) return at;
	const end = lines
		.slice(at + 1, at + MAX_ARRAY)
		.findIndex(({ text }) => /^[^"'#]*\]\s*(?:#.*)?$|\]\s*$/.test(text));
	return end < 0 ? at : at + 1 + end;
}

const NOT_YAML = /("(?:[^"\\]|\\.)*"|'[^']*')|(?<=\d)_(?=\d)|\s*=\s*/g;

/** Parses a value as YAML. Converts inline tables and underscores in numbers first. */
function valueIn(text: string, lines: LineRange): Tree | undefined {
	const yaml = text.replace(NOT_YAML, (mark, quoted) => quoted ?? (mark === "_" ? "" : ": "));
	if (isDeepYaml(yaml)) return undefined;
	const document = parseDocument(yaml, { logLevel: "silent" });
	return document.errors.length > 0 ? undefined : yamlTree(document, () => lines).tree;
}
