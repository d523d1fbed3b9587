import type { ParsedDocument, Passage } from "../core/knowledge/document.ts";
import { cutPassages, documentOfText, MAX_PASSAGE, runsUpTo, TARGET } from "./passages/passages.ts";
import { PATH_MARK } from "./passages/sections.ts";
import { fileName, type Line, type Source, shorten, splitLines, squeeze } from "./passages/source.ts";

/** Maximum depth of the outline: a class, a method and a nested declaration. */
const MAX_DEPTH = 3;
const NAME_LENGTH = 80;
/** Maximum number of characters of a line, without indentation, that are classified. */
const JUDGED_LENGTH = 200;

/** A line that does not describe the following lines: a comment, an import, a decorator or a lone bracket. */
const PREAMBLE =
	/^((type\s+)?[\w$]+(\s+as\s+[\w$]+)?,$|\}\s*from\b|["']use\s|\/\/|\/\*|\*|#(?!define|region)|--|;|<!|"""|'''|@|(import|from|package|using|use|require|include)\b|\W+$)/;

/** An import, a part of a multi-line import, or an empty line. */
const IMPORT =
	/^((type\s+)?[\w$]+(\s+as\s+[\w$]+)?,?$|\}\s*from\b|["']use\s|#\s*include\b|(import|from|package|using|use|require|include)\b|\W*$)/;

const COMMENT = /^(\/\/|\/\*|\*|#|--|;|<!|$)/;
const LICENSE = /\b(copyright|licen[cs]ed?|SPDX)\b/i;

const DECLARATION =
	/\b(class|interface|struct|enum|trait|impl|object|record|module|namespace|function|func|fun|fn|def|sub|proc|macro|create|type)\b/i;

const CLOSER = /^([\])}]|(end|else|elif|elsif|except|finally|catch|rescue|ensure)\b)/;

/** Splits source code at its outline. Keeps a declaration whole if it fits into a passage. */
export function parseCode({ uri, text }: Source): ParsedDocument {
	const name = fileName(uri);
	const passages = cutCode(splitLines(text), [name], MAX_DEPTH);
	const telling = passages.filter((passage) => !isPreamble(passage.text));
	return documentOfText(name, telling.length > 0 ? telling : passages);
}

function isPreamble(text: string): boolean {
	const lines = text.split("\n").map((line) => line.trim());
	const isImports = lines.every((line) => IMPORT.test(line.slice(0, JUDGED_LENGTH)));
	return isImports || (LICENSE.test(text) && lines.every((line) => COMMENT.test(line)));
}

function cutCode(lines: readonly Line[], path: readonly string[], depth: number): Passage[] {
	const chunks = depth === 0 ? [lines] : chunksOf(lines);
	const [head = [], next = []] = chunks;
	const isOne = chunks.length === 1 || indentationOf(head[0]) < indentationOf(next[0]);
	const inner = isOne ? withDeclaration(path, head) : path;
	if (chunks.length === 1 || lengthOf(lines) <= (isOne ? MAX_PASSAGE : TARGET)) {
		const isTold = isOne || chunks.filter((chunk) => declarationIn(chunk) !== undefined).length <= 1;
		const title = (isTold ? withDeclaration(path, lines) : path).join(PATH_MARK);
		return cutPassages(title, [{ kind: "code", lines }]);
	}
	return runsUpTo(chunks, TARGET, lengthOf).flatMap((run) => cutCode(run.flat(), inner, depth - 1));
}

/** Splits before each least-indented line that follows a blank or closing line. */
function chunksOf(lines: readonly Line[]): (readonly Line[])[] {
	const starts = lines.map((_, index) => index).filter((index) => canStart(lines, index));
	const least = Math.min(...new Set(starts.map((index) => indentationOf(lines[index]))));
	const cuts = starts.filter((index) => indentationOf(lines[index]) === least);
	return [0, ...cuts].map((from, index) => lines.slice(from, cuts[index]));
}

function canStart(lines: readonly Line[], index: number): boolean {
	const [line, before] = [lines[index], lines[index - 1]];
	if (!line || !before || wordsOf(line) === "" || CLOSER.test(wordsOf(line))) return false;
	const closes = CLOSER.test(wordsOf(before)) && indentationOf(before) === indentationOf(line);
	return closes || wordsOf(before) === "";
}

function wordsOf({ text }: Line): string {
	return text.trimStart().slice(0, JUDGED_LENGTH).trimEnd();
}

function indentationOf(line: Line | undefined): number {
	return line ? line.text.length - line.text.trimStart().length : 0;
}

function lengthOf(lines: readonly Line[]): number {
	return lines.reduce((length, line) => length + line.text.length + 1, 0);
}

function withDeclaration(path: readonly string[], lines: readonly Line[]): readonly string[] {
	const declaration = declarationIn(lines) ?? tellingIn(lines)[0] ?? "";
	const name = shorten(squeeze(declaration).replace(/\s*[{:(]+$/, ""), NAME_LENGTH);
	return name === "" || name === path.at(-1) ? path : [...path, name];
}

function declarationIn(lines: readonly Line[]): string | undefined {
	return tellingIn(lines).find((words) => DECLARATION.test(words));
}

function tellingIn(lines: readonly Line[]): readonly string[] {
	return lines.map(wordsOf).filter((words) => words !== "" && !PREAMBLE.test(words));
}
