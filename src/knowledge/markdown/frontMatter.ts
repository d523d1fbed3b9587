import {
	type Document,
	isMap,
	isNode,
	isScalar,
	LineCounter,
	parseDocument,
	visit,
	type YAMLMap,
} from "yaml";
import { messageOf } from "../../base/failure.ts";
import { isRecord } from "../../base/values.ts";
import { isDeepYaml } from "../../base/yaml/locatedYaml.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Problem, problemAt } from "../../core/knowledge/document.ts";
import { only } from "../passages/lines.ts";
import { type Tree, type TreeMap, yamlTree } from "../records/jsonTree.ts";

interface Leaf {
	readonly key: string;
	readonly value: string | number | boolean;
}

/** Nested keys are joined with dots. */
export interface FrontMatterValue extends Leaf {
	readonly lines: LineRange;
}

export interface FrontMatter {
	readonly values: readonly FrontMatterValue[];
	/** Lists of objects, by key. */
	readonly objects: TreeMap;
	readonly problems: readonly Problem[];
	/** Includes the fences; 0 without front matter. */
	readonly lineCount: number;
}

/** Characters; more is content that happens to begin with a rule. */
const MAX_LENGTH = 65_536;

/** Lists and objects below a key; `yamlTree` reads as deep. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1000;
const MAX_ALIASES = 50;

/** Policies that hide a part of a file must know that there may be more. */
const NOT_READ = "a part of it is not read: it is too large or nested too deeply, or a key is not text.";

const NO_OBJECTS: TreeMap = { kind: "map", members: new Map(), lines: only(1) };

const NONE: FrontMatter = { values: [], objects: NO_OBJECTS, problems: [], lineCount: 0 };

export function readFrontMatter(text: string): FrontMatter {
	const head = text.slice(0, MAX_LENGTH);
	const fences =
		/^---[^\S\r\n]*(?:\r\n|\r|\n)([\s\S]*?(?:\r\n|\r|\n)|)(?:---|\.\.\.)[^\S\r\n]*(?=[\r\n]|$)/.exec(head);
	if (!fences) return NONE;
	const [whole, body = ""] = fences;
	return { ...readYaml(body), lineCount: whole.split(/\r\n|\r|\n/).length };
}

function readYaml(body: string) {
	if (isDeepYaml(body)) return notRead([problemIn("it is nested too deeply.")]);
	const lineCounter = new LineCounter();
	// The fence above the front matter is line 1.
	const text = `\n${body.replace(/\r\n?/g, "\n")}`;
	const document = parseDocument(text, { lineCounter, logLevel: "silent" });
	const problems = document.errors.map(({ message, code, pos: [start] }) =>
		problemIn(message.split("\n")[0] ?? code, lineCounter.linePos(start).line),
	);
	if (problems.length > 0 || !isMap(document.contents)) return notRead(problems);
	try {
		const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
		const objects = objectsIn(yamlTree(document, lineCounter));
		const values = valuesOf(document.contents, withoutKeys(content, objects.members), lineCounter);
		const isWhole = leavesOf("", content, MAX_DEPTH + 1).length <= MAX_VALUES && isPlain(content);
		return {
			values: values.slice(0, MAX_VALUES),
			objects,
			problems: isWhole && hasPlainKeys(document) ? [] : [problemIn(NOT_READ)],
		};
	} catch (thrown) {
		return notRead([problemIn(messageOf(thrown))]);
	}
}

function notRead(problems: readonly Problem[]) {
	return { values: [], objects: NO_OBJECTS, problems };
}

/** Lists are like tables if an object in them has several keys. */
function objectsIn(tree: Tree | undefined): TreeMap {
	const all = tree?.kind === "map" ? [...tree.members] : [];
	const isRow = (item: Tree) => item.kind === "map" && item.members.size > 1;
	const members = all.filter(
		([, value]) => value.kind === "list" && value.items.some(isRow) && hasFlatLists(value),
	);
	return { kind: "map", members: new Map(members), lines: only(1) };
}

/** An object in a list of lists would not be stated. */
function hasFlatLists(tree: Tree): boolean {
	if (tree.kind === "value") return true;
	if (tree.kind === "map") return [...tree.members.values()].every(hasFlatLists);
	return tree.items.every((item) => item.kind !== "list" && hasFlatLists(item));
}

function withoutKeys(content: unknown, keys: ReadonlyMap<string, unknown>): unknown {
	return isRecord(content)
		? Object.fromEntries(Object.entries(content).filter(([key]) => !keys.has(key)))
		: content;
}

function problemIn(message: string, line = 1): Problem {
	return problemAt(line, `Front matter: ${message}`);
}

function valuesOf(map: YAMLMap, content: unknown, lineCounter: LineCounter): FrontMatterValue[] {
	const record = isRecord(content) ? content : {};
	return map.items.flatMap(({ key, value }) => {
		if (!isScalar(key) || !key.range) return [];
		const name = String(key.value);
		const start = lineCounter.linePos(key.range[0]).line;
		const end = endOf(value, lineCounter) ?? start;
		return leavesOf(name, record[name], MAX_DEPTH).map((leaf) => ({
			...leaf,
			lines: { start, end: Math.max(start, end) },
		}));
	});
}

/** Whether no value is nested too deeply to be stated. */
function isPlain(value: unknown, depth = MAX_DEPTH + 1): boolean {
	if (typeof value !== "object" || value === null) return true;
	return depth > 0 && Object.values(value).every((item) => isPlain(item, depth - 1));
}

function hasPlainKeys(document: Document): boolean {
	let isPlain = true;
	visit(document, {
		Pair: (_, { key }) => {
			isPlain &&= isScalar(key);
		},
	});
	return isPlain;
}

function endOf(value: unknown, lineCounter: LineCounter): number | undefined {
	const end = isNode(value) ? value.range?.[1] : undefined;
	return end === undefined ? undefined : lineCounter.linePos(Math.max(0, end - 1)).line;
}

/** Limits the depth, because an anchor may contain itself. */
function leavesOf(key: string, value: unknown, depth: number): Leaf[] {
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
		return value === "" ? [] : [{ key, value }];
	}
	if (depth === 0) return [];
	if (Array.isArray(value)) return value.flatMap((item) => leavesOf(key, item, depth - 1));
	return isRecord(value)
		? Object.entries(value).flatMap(([name, item]) => leavesOf(`${key}.${name}`, item, depth - 1))
		: [];
}
