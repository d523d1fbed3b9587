/** Hears what an XML file consists of. Names are without their prefix. */
export interface XmlEvents {
	open?(name: string, attributes: Attributes): void;
	close?(name: string): void;
	text?(text: string): void;
	/** Elements in which nothing is to be told, by their names. */
	readonly skipped?: ReadonlySet<string>;
}

/** Attributes by their names as they are written, read when they are asked for. */
export type Attributes = (name: string) => string | undefined;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/**
 * Walks through XML that programs have written. Fast, and without memory of its own: declared entities mean nothing, so
 * that nothing can grow, and what is not well-formed is read as far as it goes.
 */
export function walkXml(xml: string, events: XmlEvents): void {
	const { text: tell } = events;
	const readTag = createTagReader(xml, events);
	for (let at = 0; at < xml.length; ) {
		const start = xml.indexOf("<", at);
		const end = start < 0 ? xml.length : start;
		if (tell && end > at) tell(decodeEntities(xml.slice(at, end)));
		if (start < 0) return;
		at = skipMarkup(xml, start, tell) ?? readTag(start);
	}
}

/** The end of a comment, a declaration or the like; `undefined` where a tag begins. */
function skipMarkup(xml: string, start: number, tell: XmlEvents["text"]): number | undefined {
	const mark = xml.charCodeAt(start + 1);
	if (mark === 63) return after(xml, "?>", start);
	if (mark !== 33) return undefined;
	if (xml.startsWith("<!--", start)) return after(xml, "-->", start + 4);
	if (!xml.startsWith("<![CDATA[", start))
		return after(xml, xml.startsWith("<!DOCTYPE", start) ? doctypeEnd(xml, start) : ">", start);
	const end = after(xml, "]]>", start);
	tell?.(xml.slice(start + 9, Math.max(start + 9, end - 3)));
	return end;
}

function doctypeEnd(xml: string, start: number): string {
	const [open, close] = [xml.indexOf("[", start), xml.indexOf(">", start)];
	return open >= 0 && open < close ? "]>" : ">";
}

function after(xml: string, mark: string, from: number): number {
	const end = xml.indexOf(mark, from);
	return end < 0 ? xml.length : end + mark.length;
}

/** Attributes are asked for while their tag is told, so one function for all tags will do. */
function createTagReader(xml: string, { open, close, skipped }: XmlEvents): (start: number) => number {
	let [from, to] = [0, 0];
	const closing = createClosings(xml);
	const attribute: Attributes = (wanted) => attributeIn(xml.slice(from, to), wanted);
	return (start) => {
		const end = tagEnd(xml, start + 1);
		if (xml.charCodeAt(start + 1) === SLASH) {
			close?.(localName(xml, start + 2, end));
			return end + 1;
		}
		const isEmpty = xml.charCodeAt(end - 1) === SLASH;
		to = isEmpty ? end - 1 : end;
		from = nameEnd(xml, start + 1, to);
		const name = localName(xml, start + 1, from);
		open?.(name, attribute);
		if (isEmpty) close?.(name);
		return skipped?.has(name) && !isEmpty ? closing(xml.slice(start + 1, from), end) : end + 1;
	};
}

/** Where the next tag closes an element of this name as it is written, or else where its content begins. */
function createClosings(xml: string): (name: string, end: number) => number {
	// What is closed no more is not looked for again: that would take the square of the length.
	const unclosed = new Set<string>();
	return (name, end) => {
		const at = unclosed.has(name) || unclosed.size > MOST_UNCLOSED ? -1 : xml.indexOf(`</${name}>`, end);
		if (at < 0) unclosed.add(name);
		return at < 0 ? end + 1 : at;
	};
}

/** Names by one prefix or another; with more of them somebody wants to be slow. */
const MOST_UNCLOSED = 20;

function nameEnd(xml: string, from: number, end: number): number {
	let at = from;
	while (at < end && xml.charCodeAt(at) > 32) at++;
	return at;
}

const SLASH = 47;

/** The `>` that ends a tag: quoted values may hold one; a closing tag has none. */
function tagEnd(xml: string, from: number): number {
	let end = xml.indexOf(">", from);
	if (end >= 0 && xml.charCodeAt(from) === SLASH) return end;
	while (end >= 0) {
		if (!isInValue(xml, from, end)) return end;
		const next = xml.indexOf(">", end + 1);
		// A quotation mark that is never closed must not swallow the rest, nor take the square of its length.
		if (next < 0 || next - from > LONGEST_TAG) return end;
		end = next;
	}
	return xml.length;
}

/** Whether a value in either kind of quotation marks is not yet closed there. */
function isInValue(xml: string, from: number, end: number): boolean {
	let [isDouble, isSingle] = [false, false];
	for (let at = from; at < end; at++) {
		const code = xml.charCodeAt(at);
		if (code === 34) isDouble = !isDouble;
		else if (code === 39) isSingle = !isSingle;
	}
	return isDouble || isSingle;
}

const LONGEST_TAG = 100_000;

/** Without its prefix, and the white space behind it. */
function localName(xml: string, from: number, to: number): string {
	let [start, end] = [from, from];
	for (; end < to; end++) {
		const code = xml.charCodeAt(end);
		if (code <= 32) break;
		if (code === 58 && start === from) start = end + 1;
	}
	return xml.slice(start, end);
}

function attributeIn(text: string, name: string): string | undefined {
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
		if (!/\s/.test(text.charAt(at - 1))) continue;
		const [, double, single] = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(text.slice(at + name.length)) ?? [];
		const value = double ?? single;
		if (value !== undefined) return decodeEntities(value);
	}
	return undefined;
}

function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,5}));/gi, (whole, decimal, hex, name) => {
		if (name !== undefined) return ENTITIES[name] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
	});
}
