import { type Handler, Parser, type ParserOptions } from "htmlparser2";
import { createLineIndex } from "../passages/source.ts";

/** `end` is final once the element is closed. */
export interface Element {
	readonly start: number;
	end: number;
}

export interface Tag {
	readonly name: string;
	/** By lower-case name. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly element: Element;
	/** Offset and line after the tag. */
	readonly contentStart: number;
	readonly contentLine: number;
}

/** Events in the page's order. Every opened tag is closed, even if the file does not close it. */
export interface HtmlListener {
	open(tag: Tag): void;
	/** Character references are decoded; the text begins on `line`. */
	text(text: string, line: number): void;
	/** `contentEnd`: offset before the closing tag. */
	close(tag: Tag, contentEnd: number): void;
}

export interface MarkupReader {
	/** Whether the element is the value of a statement. */
	openTag(tag: Tag): boolean;
	addText(text: string): void;
	onTagClose(): void;
	onEnd(): void;
	setBase?(iri: string): void;
}

export function walkHtml(text: string, listener: HtmlListener): void {
	const lineAt = createLineIndex(text);
	const open: Tag[] = [];
	/** Offset of the last character, except white space between tags. */
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

/** Deeper elements are read as empty, as browsers do at 512: readers of markup are quadratic in depth. */
const MAX_NESTING = 256;

/** The library's stack is quadratic in depth; only a subclass can say that an element has no content. */
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
