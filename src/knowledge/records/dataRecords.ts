import type { ParsedDocument } from "../../core/knowledge/document.ts";
import { fileEndings, fileName, fileStem } from "../passages/fileName.ts";
import type { Source } from "../passages/format.ts";
import { only, splitLines } from "../passages/lines.ts";
import { readLocatedJson } from "../rdf/jsonLd/locatedJson.ts";
import { jsonTree, type Tree } from "./jsonTree.ts";
import { createRecords } from "./records.ts";
import { tomlTree } from "./tomlTree.ts";
import { addTree } from "./treeRecords.ts";
import { yamlTrees } from "./yamlTree.ts";

/** Characters; the YAML parser takes a hundred times its text. */
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
	const ending = fileEndings(uri).at(-1) ?? "";
	const read = READERS.get(ending);
	const name = fileName(uri);
	if (!read || LOCK_FILE.test(name.toLowerCase())) return document;
	if (read === yamlTrees && text.length > MAX_YAML)
		return { ...document, problems: [...document.problems, TOO_LONG] };
	const [first, ...others] = read(text).filter((tree) => tree !== undefined);
	if (!first) return document;
	const records = createRecords();
	const tree: Tree = others.length > 0 ? { kind: "list", items: [first, ...others], lines: only(1) } : first;
	addTree(tree, { uri, stem: fileStem(uri), name }, records);
	return records.addTo(document);
}

const TOO_LONG = {
	severity: "warning",
	message:
		"This file is long: its text is searchable, but its entries cannot be counted. Split it into smaller files.",
	lines: only(1),
} as const;

function jsonTrees(text: string): (Tree | undefined)[] {
	const { value, lines } = readLocatedJson(text);
	return [jsonTree(value, lines)];
}
