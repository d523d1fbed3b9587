export interface Tag {
	readonly name: string;
	/** Offset of the name. */
	readonly start: number;
	readonly isClosing: boolean;
	/** Whether the tag closes itself, like `<br/>` in XML. */
	readonly isEmpty: boolean;
	readonly attributes: readonly Attribute[];
}

/** `content` is the content of an element whose content is not markup. */
export interface HtmlTag extends Tag {
	readonly content?: { readonly text: string; readonly start: number };
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

/** Yields tags, with names in lowercase. */
export function* htmlTags(text: string): Generator<HtmlTag> {
	const tags = new RegExp(TAG);
	for (let match = tags.exec(text); match; match = tags.exec(text)) {
		const [tag] = toTag(match, (name) => name.toLowerCase());
		const start = tags.lastIndex;
		if (tag && !tag.isClosing && RAW.has(tag.name)) {
			tags.lastIndex = endOfRaw(text, tag.name, start);
			yield { ...tag, content: { text: text.slice(start, tags.lastIndex), start } };
		} else if (tag) yield tag;
	}
}

export function xmlTags(text: string): Tag[] {
	return [...text.matchAll(TAG)].flatMap((match) => toTag(match, (name) => name));
}

type Spell = (name: string) => string;

/** Returns an empty list for a comment or a CDATA section. */
function toTag({ 1: slash = "", 2: written, 3: rest = "", index }: RegExpExecArray, spell: Spell): Tag[] {
	if (!written) return [];
	const name = spell(written);
	const start = index + 1 + slash.length;
	const attributes = slash ? [] : readAttributes(rest, start + name.length, spell);
	return [{ name, start, isClosing: slash !== "", isEmpty: rest.endsWith("/"), attributes }];
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
