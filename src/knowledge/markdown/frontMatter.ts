import { LineCounter, parseDocument } from "yaml";
import { isDeepYaml } from "../../base/yaml/locatedYaml.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Problem, problemAt } from "../../core/knowledge/document.ts";
import { only } from "../passages/source.ts";
import { linesBy, type Tree, type TreeMap, type TreeValue, yamlTree } from "../records/jsonTree.ts";

/** A leaf of front matter. Nested keys are joined with dots; `lines` are the lines of the outermost key. */
export interface FrontMatterValue extends TreeValue {
	readonly key: string;
}

export interface FrontMatter {
	readonly values: readonly FrontMatterValue[];
	readonly objects: TreeMap;
	readonly problems: readonly Problem[];
	/** Number of lines including the fences; 0 without front matter. */
	readonly lineCount: number;
}

/** Maximum length in characters. A longer text is content after a horizontal rule. */
const MAX_LENGTH = 65_536;
const MAX_VALUES = 1000;

/** Policies that hide parts of a file must know that some parts were not read. */
const NOT_READ =
	"a part of it is not read: it is too large or nested too deeply, repeats too many aliases, or a key is not text.";

export function readFrontMatter(text: string): FrontMatter {
	const head = text.slice(0, MAX_LENGTH);
	const fences =
		/^---[^\S\r\n]*(?:\r\n|\r|\n)([\s\S]*?(?:\r\n|\r|\n)|)(?:---|\.\.\.)[^\S\r\n]*(?=[\r\n]|$)/.exec(head);
	if (!fences) return { ...notRead([]), lineCount: 0 };
	const [whole, body = ""] = fences;
	return { ...readYaml(body), lineCount: whole.split(/\r\n|\r|\n/).length };
}

function readYaml(body: string) {
	if (isDeepYaml(body)) return notRead([problemIn("it is nested too deeply.")]);
	const lineCounter = new LineCounter();
	// The opening fence is line 1.
	const text = `\n${body.replace(/\r\n?/g, "\n")}`;
	const document = parseDocument(text, { lineCounter, logLevel: "silent" });
	const problems = document.errors.map(({ message, code, pos: [start] }) =>
		problemIn(message.split("\n")[0] ?? code, lineCounter.linePos(start).line),
	);
	if (problems.length > 0) return notRead(problems);
	const { tree, isWhole } = yamlTree(document, linesBy(lineCounter));
	if (tree?.kind !== "map") return notRead([]);
	const objects = [...tree.members].filter(([, value]) => isObjectList(value));
	const others = [...tree.members].filter(([, value]) => !isObjectList(value));
	const values = others.flatMap(([key, value]) => leavesOf(key, value, value.lines));
	const gaps = isWhole && values.length <= MAX_VALUES ? [] : [problemIn(NOT_READ)];
	return { values: values.slice(0, MAX_VALUES), objects: mapOf(objects), problems: gaps };
}

function notRead(problems: readonly Problem[]) {
	return { values: [], objects: mapOf([]), problems };
}

function mapOf(members: Iterable<readonly [string, Tree]>): TreeMap {
	return { kind: "map", members: new Map(members), lines: only(1) };
}

function problemIn(message: string, line = 1): Problem {
	return problemAt(line, `Front matter: ${message}`);
}

/** Whether a list resembles a table: at least one item is an object with several keys. */
function isObjectList(tree: Tree): boolean {
	const isRow = (item: Tree) => item.kind === "map" && item.members.size > 1;
	return tree.kind === "list" && tree.items.some(isRow) && hasFlatLists(tree);
}

/** Objects in lists of lists would be lost. */
function hasFlatLists(tree: Tree): boolean {
	if (tree.kind === "value") return true;
	if (tree.kind === "map") return [...tree.members.values()].every(hasFlatLists);
	return tree.items.every((item) => item.kind !== "list" && hasFlatLists(item));
}

function leavesOf(key: string, tree: Tree, lines: LineRange): FrontMatterValue[] {
	if (tree.kind === "value") return tree.text === "" ? [] : [{ ...tree, key, lines }];
	if (tree.kind === "list") return tree.items.flatMap((item) => leavesOf(key, item, lines));
	return [...tree.members].flatMap(([name, member]) => leavesOf(`${key}.${name}`, member, lines));
}
