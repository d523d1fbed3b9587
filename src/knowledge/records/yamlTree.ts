import {
	type Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	LineCounter,
	type Node,
	parseAllDocuments,
} from "yaml";
import { isDeepYaml } from "../../base/yaml/deepYaml.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { MAX_TREE_DEPTH } from "./jsonTree.ts";
import type { Tree } from "./tree.ts";

const MAX_ALIASES = 50;

interface Reading {
	readonly document: Document;
	readonly linesOf: (node: Node) => LineRange;
	aliases: number;
}

/** The documents of a YAML text; none if it is not YAML, or nested too deeply. */
export function yamlTrees(text: string): Tree[] {
	if (isDeepYaml(text)) return [];
	const lineCounter = new LineCounter();
	const documents = parseAllDocuments(text.replace(/\r\n?/g, "\n"), { lineCounter, logLevel: "silent" });
	if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return [];
	const lineAt = (offset: number) => lineCounter.linePos(offset).line;
	const linesOf = ({ range }: Node) => {
		const [start = 0, end = start] = range ?? [];
		return { start: lineAt(start), end: lineAt(Math.max(start, end - 1)) };
	};
	return documents.flatMap((document) => {
		const tree = toTree(document.contents, { document, linesOf, aliases: 0 }, MAX_TREE_DEPTH);
		return tree ? [tree] : [];
	});
}

function toTree(node: unknown, reading: Reading, depth: number): Tree | undefined {
	if (depth === 0) return undefined;
	if (isAlias(node)) {
		const target = ++reading.aliases > MAX_ALIASES ? undefined : node.resolve(reading.document);
		return target && toTree(target, reading, depth - 1);
	}
	if (isScalar(node)) {
		if (node.value === null) return undefined;
		const isPlain = node.type === "PLAIN";
		const text = isPlain ? (node.source ?? String(node.value)) : String(node.value);
		return { kind: "value", text, isQuoted: !isPlain, lines: reading.linesOf(node) };
	}
	if (isSeq(node)) {
		const items = node.items.map((item) => toTree(item, reading, depth - 1));
		return { kind: "list", items: items.filter((item) => item !== undefined), lines: reading.linesOf(node) };
	}
	return isMap(node) ? mapTree(node, reading, depth) : undefined;
}

function mapTree(
	node: Node & { readonly items: readonly { key: unknown; value: unknown }[] },
	reading: Reading,
	depth: number,
): Tree {
	const members = new Map<string, Tree>();
	for (const { key, value } of node.items) {
		const tree = isScalar(key) ? toTree(value, reading, depth - 1) : undefined;
		if (!isScalar(key) || !tree) continue;
		// A merge key adds the members of another map.
		if (key.value === "<<" && tree.kind === "map")
			for (const [name, member] of tree.members) if (!members.has(name)) members.set(name, member);
		if (key.value === "<<") continue;
		const { start } = reading.linesOf(key);
		members.set(String(key.value), {
			...tree,
			lines: { start, end: Math.max(start, isAlias(value) ? start : tree.lines.end) },
		});
	}
	return { kind: "map", members, lines: reading.linesOf(node) };
}
