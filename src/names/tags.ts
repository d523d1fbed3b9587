export type HtmlPiece =
	| OpenTag
	| CloseTag
	| { readonly kind: "jsonLd"; readonly text: string; readonly start: number };

export interface OpenTag {
	readonly kind: "open";
	readonly name: string;
	/** Offset of the name. */
	readonly start: number;
	readonly attributes: readonly Attribute[];
	/** Whether the tag closes itself, like `<br/>` in XML. */
	readonly isEmpty: boolean;
}

export interface CloseTag {
	readonly kind: "close";
	readonly name: string;
	readonly start: number;
}

export interface Attribute {
	readonly name: string;
	readonly value: string;
	readonly nameStart: number;
	/** Offset of the value. */
	readonly start: number;
	readonly end: number;
}

/** Matches comments, CDATA sections and tags. An unclosed tag extends to the end, as in browsers. */
const TAG =
	/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/)?([\p{L}_][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(?:>|$)/gu;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Elements whose content is not markup. */
const RAW = new Set(["script", "style", "textarea", "title"]);

/** Yields tags, with names in lowercase, and JSON-LD scripts. */
export function* htmlPieces(text: string): Generator<HtmlPiece> {
	const tags = new RegExp(TAG);
	for (let match = tags.exec(text); match; match = tags.exec(text)) {
		const [tag] = toTag(match, (name) => name.toLowerCase());
		if (tag) yield tag;
		if (tag?.kind !== "open" || !RAW.has(tag.name)) continue;
		const start = tags.lastIndex;
		tags.lastIndex = endOfRaw(text, tag.name, start);
		if (holdsJsonLd(tag)) yield { kind: "jsonLd", text: text.slice(start, tags.lastIndex), start };
	}
}

export function xmlTags(text: string): (OpenTag | CloseTag)[] {
	return [...text.matchAll(TAG)].flatMap((match) => toTag(match, (name) => name));
}

type Spell = (name: string) => string;

/** Returns an empty list for a comment or a CDATA section. */
function toTag(
	{ 1: slash = "", 2: written = "", 3: rest = "", index }: RegExpExecArray,
	spell: Spell,
): (OpenTag | CloseTag)[] {
	if (written === "") return [];
	const name = spell(written);
	const start = index + 1 + slash.length;
	if (slash) return [{ kind: "close", name, start }];
	const attributes = readAttributes(rest, start + name.length, spell);
	return [{ kind: "open", name, start, attributes, isEmpty: rest.endsWith("/") }];
}

function holdsJsonLd({ name, attributes }: OpenTag): boolean {
	const type = attributes.find((attribute) => attribute.name === "type")?.value ?? "";
	return name === "script" && /^\s*application\/ld\+json\s*(;|$)/i.test(type);
}

function endOfRaw(text: string, name: string, start: number): number {
	const closing = new RegExp(`</${name}\\b`, "gi");
	closing.lastIndex = start;
	return closing.exec(text)?.index ?? text.length;
}

function readAttributes(text: string, offset: number, spell: Spell): Attribute[] {
	return [...text.matchAll(ATTRIBUTE)].map(
		({ 0: whole, 1: name = "", 2: double, 3: single, 4: bare, index }) => {
			const value = double ?? single ?? bare ?? "";
			const quote = bare === undefined && whole.includes("=") ? 1 : 0;
			const nameStart = offset + index;
			const end = nameStart + whole.length - quote;
			return { name: spell(name), value, nameStart, start: end - value.length, end };
		},
	);
}
