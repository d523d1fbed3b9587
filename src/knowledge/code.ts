import type { ParsedDocument, Passage } from "../core/knowledge/document.ts";
import { fileName } from "./passages/fileName.ts";
import type { Source } from "./passages/format.ts";
import { type Line, splitLines } from "./passages/lines.ts";
import { PATH_MARK } from "./passages/outline.ts";
import { cutPassages, documentOfText, MAX_PASSAGE } from "./passages/passages.ts";
import { runsUpTo } from "./passages/textPieces.ts";
import { shorten, squeeze } from "./passages/words.ts";

/** Characters that small neighbours are gathered up to. */
const TARGET = 1200;

/** How far an outline is followed: class, method, and what is inside. */
const MAX_DEPTH = 3;

const NAME_LENGTH = 80;

/** What a line is judged by: so many characters of it, without its indentation. */
const JUDGED_LENGTH = 200;

/** A line that does not say what follows: a comment, an import or one of its names, a decorator, a lone bracket. */
const PREAMBLE =
	/^((type\s+)?[\w$]+(\s+as\s+[\w$]+)?,$|\}\s*from\b|["']use\s|\/\/|\/\*|\*|#(?!define|region)|--|;|<!|"""|'''|@|(import|from|package|using|use|require|include)\b|\W+$)/;

/** An import, a part of one that takes several lines, or nothing. */
const IMPORT =
	/^((type\s+)?[\w$]+(\s+as\s+[\w$]+)?,?$|\}\s*from\b|["']use\s|#\s*include\b|(import|from|package|using|use|require|include)\b|\W*$)/;

const COMMENT = /^(\/\/|\/\*|\*|#|--|;|<!|$)/;
const LICENSE = /\b(copyright|licen[cs]ed?|SPDX)\b/i;

/** A line that names something a reader looks for. */
const DECLARATION =
	/\b(class|interface|struct|enum|trait|impl|object|record|module|namespace|function|func|fun|fn|def|sub|proc|macro|create|type)\b/i;

/** A line that belongs to what stands before it. */
const CLOSER = /^([\])}]|(end|else|elif|elsif|except|finally|catch|rescue|ensure)\b)/;

/** Source code, cut where its outline is: declarations that fit are kept whole. */
export function parseCode({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const passages = cutCode(splitLines(text), [name], MAX_DEPTH);
	const telling = passages.filter((passage) => !isPreamble(passage.text));
	return documentOfText(name, telling.length > 0 ? telling : passages);
}

/** Whether it is but imports, or the license at the top of many files. */
function isPreamble(text: string): boolean {
	const lines = text.split("\n").map((line) => line.trim());
	const isImports = lines.every((line) => IMPORT.test(line.slice(0, JUDGED_LENGTH)));
	return isImports || (LICENSE.test(text) && lines.every((line) => COMMENT.test(line)));
}

/** Passages of code, each named after the outline that leads to it; it is followed `depth` levels down. */
function cutCode(lines: readonly Line[], path: readonly string[], depth: number): Passage[] {
	const chunks = depth === 0 ? [lines] : chunksOf(lines);
	const [head = [], next = []] = chunks;
	const isOne = chunks.length === 1 || indentationAt(head, 0) < indentationAt(next, 0);
	const inner = isOne ? withDeclaration(path, head) : path;
	if (chunks.length === 1 || lengthOf(lines) <= (isOne ? MAX_PASSAGE : TARGET)) {
		const title = withDeclaration(path, lines).join(PATH_MARK);
		return cutPassages(title, [{ kind: "code", lines }]);
	}
	return runsUpTo(chunks, TARGET, lengthOf).flatMap((run) => cutCode(run.flat(), inner, depth - 1));
}

/** Parts lines where a blank line or a closing one is followed by one of the least indentation. */
function chunksOf(lines: readonly Line[]): (readonly Line[])[] {
	const starts = lines.map((_, index) => index).filter((index) => canStart(lines, index));
	const least = Math.min(...new Set(starts.map((index) => indentationAt(lines, index))));
	const cuts = starts.filter((index) => indentationAt(lines, index) === least);
	return [0, ...cuts].map((from, index) => lines.slice(from, cuts[index]));
}

function canStart(lines: readonly Line[], index: number): boolean {
	const line = lines[index];
	const before = lines[index - 1];
	if (!line || !before || wordsOf(line) === "" || CLOSER.test(wordsOf(line))) return false;
	const closes = CLOSER.test(wordsOf(before)) && indentationOf(before) === indentationOf(line);
	return closes || wordsOf(before) === "";
}

function wordsOf({ text }: Line): string {
	return text.trimStart().slice(0, JUDGED_LENGTH).trimEnd();
}

function indentationAt(lines: readonly Line[], index: number): number {
	const line = lines[index];
	return line ? indentationOf(line) : 0;
}

function indentationOf({ text }: Line): number {
	return text.length - text.trimStart().length;
}

function lengthOf(lines: readonly Line[]): number {
	return lines.reduce((length, line) => length + line.text.length + 1, 0);
}

function withDeclaration(path: readonly string[], lines: readonly Line[]): readonly string[] {
	const telling = lines.map(wordsOf).filter((words) => words !== "" && !PREAMBLE.test(words));
	const declaration = telling.find((words) => DECLARATION.test(words)) ?? telling[0] ?? "";
	const name = shorten(squeeze(declaration).replace(/\s*[{:(]+$/, ""), NAME_LENGTH);
	return name === "" || name === path.at(-1) ? path : [...path, name];
}
