/** A part of a JSON text. */
export type JsonNode =
	| { readonly kind: "object"; readonly members: readonly JsonMember[] }
	| { readonly kind: "array"; readonly items: readonly JsonNode[] }
	| JsonString
	| { readonly kind: "other"; readonly value: unknown };

export interface JsonString {
	readonly kind: "string";
	readonly value: string;
	/** Of what stands between the quotes. */
	readonly start: number;
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

/** Reads what it can: a text that somebody is typing is seldom whole. */
export function readJsonTree(text: string): JsonNode | undefined {
	const scan = { tokens: [...text.matchAll(TOKEN)], at: 0 };
	return readNode(scan, 0);
}

/** What `JSON.parse` would give. */
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
	if (text === "{") return readObject(scan, depth);
	if (text === "[") return readArray(scan, depth);
	if (/^[\]},:]/.test(text)) return undefined;
	scan.at++;
	return text.startsWith('"') ? toJsonString(token) : { kind: "other", value: scalarOf(text) };
}

function readArray(scan: Scan, depth: number): JsonNode {
	const items: JsonNode[] = [];
	scan.at++;
	while (!closes(scan, "]")) {
		const item = readNode(scan, depth + 1);
		if (!item) break;
		items.push(item);
		skip(scan, ",");
	}
	return { kind: "array", items };
}

function readObject(scan: Scan, depth: number): JsonNode {
	const members: JsonMember[] = [];
	scan.at++;
	while (!closes(scan, "}")) {
		const member = readMember(scan, depth);
		if (!member) break;
		members.push(member);
		skip(scan, ",");
	}
	return { kind: "object", members };
}

function readMember(scan: Scan, depth: number): JsonMember | undefined {
	const key = readNode(scan, depth + 1);
	if (key?.kind !== "string") return undefined;
	skip(scan, ":");
	const value = readNode(scan, depth + 1);
	return value && { key, value };
}

/** Takes the bracket, or the end of the text. */
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
	return { kind: "string", value: unescaped(content), start: index + 1, end: index + 1 + content.length };
}

function unescaped(content: string): string {
	return content.includes("\\") ? String(scalarOf(`"${content}"`)) : content;
}

/** What is no JSON is its text. */
function scalarOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
