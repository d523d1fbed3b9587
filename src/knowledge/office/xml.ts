import { decodeEntities } from "../../base/words/entities.ts";

/** Names have no prefix. */
interface XmlEvents {
	open?(name: string, attributes: Attributes): void;
	close?(name: string): void;
	text?(text: string): void;
	/** Names of elements whose content is skipped. */
	readonly skipped?: ReadonlySet<string> | undefined;
}

/** What to do at the beginning and end of elements. */
interface ElementEvents {
	readonly opened?: Readonly<Record<string, (attribute: Attributes) => void>>;
	readonly closed?: Readonly<Record<string, () => void>>;
	text?(text: string): void;
	/** Elements that directly hold text; all if absent. */
	readonly textIn?: readonly string[];
	/** Elements in which nothing is heard. */
	readonly silent?: readonly string[];
	readonly skipped?: ReadonlySet<string>;
}

export function walkElements(xml: string, events: ElementEvents): void {
	const { opened = {}, closed = {}, text, skipped } = events;
	const [textIn, silent] = [events.textIn && new Set(events.textIn), new Set(events.silent)];
	let depth = 0;
	let isText = textIn === undefined;
	walkXml(xml, {
		skipped,
		open: (name, attribute) => {
			if (silent.has(name)) depth++;
			if (textIn) isText = textIn.has(name);
			if (depth === 0 && Object.hasOwn(opened, name)) opened[name]?.(attribute);
		},
		close: (name) => {
			if (textIn) isText = false;
			if (silent.has(name)) depth--;
			else if (depth === 0 && Object.hasOwn(closed, name)) closed[name]?.();
		},
		...(text && { text: (more: string) => (isText && depth === 0 ? text(more) : undefined) }),
	});
}

/** By full name; parsed on request. */
export type Attributes = (name: string) => string | undefined;

/** Fast XML walker: ignores declared entities, so that nothing can grow, and reads malformed text as far as possible. */
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

/** End of a comment or declaration; `undefined` if a tag begins. */
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

/** One reader for all tags: attributes are read only while their tag is open. */
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

/** Offset of the next closing tag of this full name, else of the element's content. */
function createClosings(xml: string): (name: string, end: number) => number {
	// Never search for an unclosed name again: that would be quadratic.
	const unclosed = new Set<string>();
	return (name, end) => {
		const at = unclosed.has(name) || unclosed.size > MOST_UNCLOSED ? -1 : xml.indexOf(`</${name}>`, end);
		if (at < 0) unclosed.add(name);
		return at < 0 ? end + 1 : at;
	};
}

/** Unclosed names with different prefixes; more are an attack. */
const MOST_UNCLOSED = 20;

function nameEnd(xml: string, from: number, end: number): number {
	let at = from;
	while (at < end && xml.charCodeAt(at) > 32) at++;
	return at;
}

const SLASH = 47;

/** Quoted values may contain `>`; closing tags have no values. */
function tagEnd(xml: string, from: number): number {
	let end = xml.indexOf(">", from);
	if (end >= 0 && xml.charCodeAt(from) === SLASH) return end;
	while (end >= 0) {
		if (!isInValue(xml, from, end)) return end;
		const next = xml.indexOf(">", end + 1);
		// An unclosed quotation mark must neither swallow the rest nor take quadratic time.
		if (next < 0 || next - from > LONGEST_TAG) return end;
		end = next;
	}
	return xml.length;
}

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

/** Without prefix and trailing white space. */
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
