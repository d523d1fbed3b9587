import { isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { messageOf } from "../failure.ts";

/** Path from the root: names of entries and indexes of items. */
type YamlPath = readonly PropertyKey[];

export interface LocatedYaml {
	/** `undefined` if the text is empty, or not YAML. */
	readonly value: unknown;
	/** The first syntax error; lines are counted from 1. */
	readonly mistake?: { readonly line: number; readonly message: string };
	/** Line of a node, or of its nearest ancestor in the text; counted from 1. */
	lineOf(path: YamlPath): number;
}

/** Parses YAML written by a user. Never throws. */
export function readLocatedYaml(text: string, { areWarningsFine = false } = {}): LocatedYaml {
	const lineCounter = new LineCounter();
	const lineAt = (offset: number) => lineCounter.linePos(offset).line;
	try {
		const document = parseDocument(text, { lineCounter, logLevel: "error" });
		const lineOf = (path: YamlPath) => lineAt(offsetOf(document.contents, path));
		const [error] = areWarningsFine ? document.errors : [...document.errors, ...document.warnings];
		if (!error) return { value: document.toJS() ?? undefined, lineOf };
		const message = error.message.split("\n")[0] ?? error.code;
		return { value: undefined, mistake: { line: lineAt(error.pos[0]), message }, lineOf };
	} catch (thrown) {
		// The YAML has too many aliases or is nested too deeply.
		return { value: undefined, mistake: { line: 1, message: messageOf(thrown) }, lineOf: () => 1 };
	}
}

function offsetOf(root: Node | null, path: YamlPath): number {
	let offset = root?.range?.[0] ?? 0;
	let node: unknown = root;
	for (const step of path) {
		const items = isMap<Node, Node>(node) ? node.items : [];
		const pair = items.find(({ key }) => String(key) === String(step));
		const next = isSeq<Node>(node) ? node.items[Number(step)] : pair?.value;
		offset = pair?.key.range?.[0] ?? next?.range?.[0] ?? offset;
		node = next;
	}
	return offset;
}

const MAX_NESTING = 50;

const SEQUENCES_IN_SEQUENCES = /(?:[-?:][^\S\n]+){50}/;

/** Whether YAML is nested so deeply that the parser could overflow the stack. */
export function isDeepYaml(text: string): boolean {
	let depth = 0;
	let deepest = 0;
	for (const mark of text) {
		if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++depth);
		else if (mark === "]" || mark === "}") depth--;
	}
	return deepest > MAX_NESTING || SEQUENCES_IN_SEQUENCES.test(text);
}
