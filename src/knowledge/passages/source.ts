import { decodedPart, splitWords } from "../../base/rdf/vocabulary.ts";
import { firstIndex } from "../../base/values.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";

export interface Line {
	readonly text: string;
	readonly lines: LineRange;
}

export const LINE_END = /\r\n|\r|\n/;

export const READABLE = /[\p{L}\p{N}]/u;

export function splitLines(text: string, first = 1): Line[] {
	return text.split(LINE_END).map((line, index) => ({ text: line, lines: only(first + index) }));
}

export function countLines(text: string): number {
	return 1 + lineEnds(text, 0, text.length);
}

/** Index of the first matching line, or the number of lines if no line matches. */
export function lineWhere(lines: readonly Line[], at: number, is: (text: string) => boolean): number {
	let next = at;
	while (next < lines.length && !is(lines[next]?.text ?? "")) next++;
	return next;
}

export function isBlank(text: string): boolean {
	return text.trim() === "";
}

export function only(line: number): LineRange {
	return { start: line, end: line };
}

export function shift({ start, end }: LineRange, by: number): LineRange {
	return { start: start + by, end: end + by };
}

export function span(first: LineRange, last: LineRange): LineRange {
	return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

/** Returns a function from offsets to line numbers, counted from 1. */
export function createLineIndex(text: string): (offset: number) => number {
	const ends = Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length);
	return (offset) => {
		const inside = Math.min(offset, text.length - 1);
		return 1 + firstIndex(ends.length, (line) => (ends[line] ?? 0) > inside);
	};
}

/** Number of line ends from `from` up to `to`. CRLF counts once. */
export function lineEnds(text: string, from: number, to: number): number {
	let count = 0;
	for (let offset = from; offset < to; offset++) {
		const code = text.charCodeAt(offset);
		if (code === 10 || (code === 13 && text.charCodeAt(offset + 1) !== 10)) count++;
	}
	return count;
}

/** Splits an identifier into words: `HTTPStatus_code` gives `HTTP status code`. */
export function toWords(identifier: string): string {
	return splitWords(identifier).replace(/(^|\s)\p{Lu}\p{Ll}*(?!\S)/gu, (word) => word.toLowerCase());
}

/** Splits an identifier into capitalized words: `ScholarlyArticle` gives `Scholarly Article`. */
export function toTitle(identifier: string): string {
	return toWords(identifier).replace(/(^|\s)\p{Ll}/gu, (start) => start.toUpperCase());
}

/** Trims a text and replaces white space by single spaces. */
export function squeeze(text: string): string {
	return (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** Cuts a text to at most `length` characters, including an ellipsis. */
export function shorten(text: string, length: number): string {
	return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

export interface Source {
	readonly uri: string;
	/** Text without a byte order mark. Line ends are as in the file. */
	readonly text: string;
}

export interface SourceFile {
	readonly uri: string;
	readonly bytes: Uint8Array;
}

/** Parses a document. Never rejects because of its content: unreadable parts become problems. */
export type Parse = (source: Source) => ParsedDocument | Promise<ParsedDocument>;

export interface Attachment {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** Text of an attachment; `undefined` if no reader supports the attachment. */
export type ReadAttachment = (attachment: Attachment) => Promise<string | undefined>;

export function fileName(uri: string): string {
	const path = uri.replace(/[?#].*$/, "");
	return decodedPart(path.slice(path.lastIndexOf("/") + 1));
}

/** Extensions that may determine a format, longest first: `a.d.ts` gives `a.d.ts`, `d.ts`, `ts`. */
export function fileEndings(uri: string): string[] {
	const parts = fileName(uri).toLowerCase().split(".");
	return parts.map((_, index) => parts.slice(index).join(".")).filter((ending) => ending !== "");
}

export function fileStem(uri: string): string {
	return fileName(uri).replace(/(?<=.)\.[^.]*$/, "");
}
