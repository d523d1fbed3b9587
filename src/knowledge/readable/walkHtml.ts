import { type Handler, Parser, type ParserOptions } from "htmlparser2";
import { createLineIndex } from "../passages/source.ts";

/** Line range of an element. `end` is final after the element is closed. */
export interface Element {
	readonly start: number;
	end: number;
}

export interface Tag {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly element: Element;
	/** Offset and line of the first character after the tag. */
	readonly contentStart: number;
	readonly contentLine: number;
}

/** Receives events in document order. Every opened element is closed, even if its closing tag is missing. */
export interface HtmlListener {
	open(tag: Tag): void;
	/** `text` has decoded character references and begins on `line`. */
	text(text: string, line: number): void;
	/** `contentEnd` is the offset of the closing tag. */
	close(tag: Tag, contentEnd: number): void;
}

export interface MarkupReader {
	/** Returns whether the element is the value of a statement. */
	openTag(tag: Tag): boolean;
	addText(text: string): void;
	onTagClose(): void;
	onEnd(): void;
	setBase?(iri: string): void;
}

export function walkHtml(text: string, listener: HtmlListener): void {
	const lineAt = createLineIndex(text);
	const open: Tag[] = [];
	/** Offset of the last character, ignoring white space between tags. */
	let contentEnd = 0;
	const parser: Parser = new NestingParser(() => open.length, {
		onopentag(name, attributes) {
			const start = lineAt(parser.startIndex);
			contentEnd = parser.endIndex;
			const element = { start, end: Math.max(start, lineAt(contentEnd)) };
			const tag = { name, attributes, element, contentStart: contentEnd + 1, contentLine: element.end };
			open.push(tag);
			listener.open(tag);
		},
		ontext(data) {
			const words = data.trimEnd();
			if (words !== "") contentEnd = parser.startIndex + words.length - 1;
			listener.text(data, lineAt(parser.startIndex));
		},
		onclosetag(_name, isImplied) {
			if (!isImplied) contentEnd = parser.endIndex;
			const tag = open.pop();
			if (!tag) return;
			tag.element.end = Math.max(tag.element.end, lineAt(contentEnd));
			listener.close(tag, parser.startIndex);
		},
	});
	parser.end(text);
}

/** Maximum depth, because markup readers are quadratic in depth. Deeper elements are empty, as in browsers from 512. */
const MAX_NESTING = 256;

/** Limits the depth, because the library's stack is quadratic. Only a subclass can make elements empty. */
export class NestingParser extends Parser {
	readonly #depth: () => number;
	#isTooDeep = false;

	constructor(depth: () => number, callbacks: Partial<Handler>, options?: ParserOptions) {
		super(callbacks, options ?? { recognizeSelfClosing: true });
		this.#depth = depth;
	}

	override onopentagname(start: number, endIndex: number): void {
		this.#isTooDeep = this.#depth() >= MAX_NESTING;
		super.onopentagname(start, endIndex);
	}

	override onclosetag(start: number, endIndex: number): void {
		this.#isTooDeep = false;
		super.onclosetag(start, endIndex);
	}

	protected override isVoidElement(name: string): boolean {
		return this.#isTooDeep || super.isVoidElement(name);
	}
}
