export type JsonNode =
	| { readonly kind: "object"; readonly members: readonly JsonMember[] }
	| { readonly kind: "array"; readonly items: readonly JsonNode[] }
	| JsonString
	| { readonly kind: "other"; readonly value: unknown };

export interface JsonString {
	readonly kind: "string";
	readonly value: string;
	/** Offset after the opening quote. */
	readonly start: number;
	/** Offset of the closing quote. */
	readonly end: number;
}

export interface JsonMember {
	readonly key: JsonString;
	readonly value: JsonNode;
}

const TOKEN = /"((?:[^"\\\n\r]|\\.)*)"?|[{}[\],:]|[^\s"{}[\],:]+/g;

const MAX_DEPTH = 100;

interface Scan {
	readonly tokens: readonly RegExpExecArray[];
	at: number;
}

/** Reads as much JSON as possible, because text is often incomplete while it is typed. */
export function readJsonTree(text: string): JsonNode | undefined {
	const scan = { tokens: [...text.matchAll(TOKEN)], at: 0 };
	return readNode(scan, 0);
}

/** The items of an array and of the arrays in it; otherwise the node itself. */
export function itemsOf(node: JsonNode): readonly JsonNode[] {
	return node.kind === "array" ? node.items.flatMap(itemsOf) : [node];
}

export function toValue(node: JsonNode): unknown {
	if (node.kind === "array") return node.items.map(toValue);
	if (node.kind === "object")
		return Object.fromEntries(node.members.map(({ key, value }) => [key.value, toValue(value)]));
	return node.value;
}

function readNode(scan: Scan, depth: number): JsonNode | undefined {
	const token = scan.tokens[scan.at];
	if (!token || depth > MAX_DEPTH) return undefined;
	const [text] = token;
	if (text === "{") return { kind: "object", members: readItems(scan, "}", () => readMember(scan, depth)) };
	if (text === "[") return { kind: "array", items: readItems(scan, "]", () => readNode(scan, depth + 1)) };
	if (/^[\]},:]/.test(text)) return undefined;
	scan.at++;
	return text.startsWith('"') ? toJsonString(token) : { kind: "other", value: scalarOf(text) };
}

function readItems<Item>(scan: Scan, bracket: string, read: () => Item | undefined): Item[] {
	const items: Item[] = [];
	scan.at++;
	while (!closes(scan, bracket)) {
		const item = read();
		if (!item) break;
		items.push(item);
		skip(scan, ",");
	}
	return items;
}

function readMember(scan: Scan, depth: number): JsonMember | undefined {
	const key = readNode(scan, depth + 1);
	if (key?.kind !== "string") return undefined;
	skip(scan, ":");
	const value = readNode(scan, depth + 1);
	return value && { key, value };
}

/** Whether the array or object ends here, at its bracket or at the end of the text. Consumes the bracket. */
function closes(scan: Scan, bracket: string): boolean {
	const token = scan.tokens[scan.at];
	if (token && token[0] !== bracket) return false;
	scan.at++;
	return true;
}

function skip(scan: Scan, text: string): void {
	if (scan.tokens[scan.at]?.[0] === text) scan.at++;
}

function toJsonString({ 1: content = "", index }: RegExpExecArray): JsonString {
	const value = content.includes("\\") ? String(scalarOf(`"${content}"`)) : content;
	return { kind: "string", value, start: index + 1, end: index + 1 + content.length };
}

/** Returns invalid JSON as text. */
function scalarOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
