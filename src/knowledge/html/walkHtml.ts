import type { Parser } from "htmlparser2";
import type { LineRange } from "../../core/knowledge/source.ts";
import { createLineIndex } from "../passages/lines.ts";
import { NestingParser } from "./nestingParser.ts";

/** An element and its lines. `end` is only right once the element is closed. */
export interface Element {
	readonly start: number;
	end: number;
}

export interface Tag {
	readonly name: string;
	/** Names in lower case. */
	readonly attributes: Readonly<Record<string, string>>;
	readonly element: Element;
	/** The offset after the tag, and its line. */
	readonly contentStart: number;
	readonly contentLine: number;
}

/** What is told of a page, in its order. Every tag that is opened is closed, whatever the file says. */
export interface HtmlListener {
	open(tag: Tag): void;
	/** A run of text, with its character references decoded, that begins on `line`. */
	text(text: string, line: number): void;
	/** `contentEnd` is the offset before the closing tag. */
	close(tag: Tag, contentEnd: number): void;
}

export function walkHtml(text: string, listener: HtmlListener): void {
	const lineAt = createLineIndex(text);
	const open: Tag[] = [];
	/** The offset of the last character that is not white space between tags. */
	let contentEnd = 0;
	const parser: Parser = new NestingParser(() => open.length, {
		onopentag(name, attributes) {
			const start = lineAt(parser.startIndex);
			contentEnd = parser.endIndex;
			const element = { start, end: Math.max(start, lineAt(contentEnd)) };
			const tag = {
				name,
				attributes,
				element,
				contentStart: parser.endIndex + 1,
				contentLine: element.end,
			};
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

export function linesOf({ start, end }: Element): LineRange {
	return { start, end };
}
