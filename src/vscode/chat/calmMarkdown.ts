import { visibleLines } from "../../base/text/visibleLines.ts";
import { escapeMarkdown, fenced, inlineCode, shownLines } from "../../base/text/visibleText.ts";
import { type Citation, piecesOf } from "../../core/knowledge/citation.ts";

export type CalmPiece = string | Citation;

/** A fence as in answers; the word after the backticks names a language. */
const FENCE = /^\s{0,3}(?<mark>`{3,}|~{3,})(?<language>[\w+-]*)/;

/**
 * Renders untrusted Markdown as paragraphs, lists, quotations, code and emphasis. Builds it from escaped text, so that
 * nothing in it is active.
 */
export function calmMarkdown(text: string): CalmPiece[] {
	const pieces: CalmPiece[] = [];
	const lines = visibleLines(text).split("\n");
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? "";
		const { mark, language } = FENCE.exec(line)?.groups ?? {};
		if (mark === undefined) {
			pieces.push(...calmLine(line), "\n");
			continue;
		}
		const isEnd = (one: string) => one.trim().startsWith(mark) && /^(`+|~+)$/.test(one.trim());
		const end = lines.findIndex((one, index) => index > at && isEnd(one));
		const code = lines.slice(at + 1, end < 0 ? undefined : end).join("\n");
		pieces.push(`\n${fenced(shownLines(code), language)}\n\n`);
		at = end < 0 ? lines.length : end;
	}
	return pieces;
}

/** What a line begins with, as it is written again. Two spaces at the end keep lines of a paragraph apart. */
function calmLine(line: string): CalmPiece[] {
	const {
		indent = "",
		mark = "",
		rest = "",
	} = /^(?<indent>\s*)(?<mark>#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>\s?)?(?<rest>.*)$/.exec(line)?.groups ?? {};
	if (rest.trim() === "") return [];
	if (mark.startsWith("#")) return ["\n**", escapeMarkdown(rest.replace(/\s#+\s*$|\*\*/g, "")), "**\n"];
	// Deeper than that, or without a list, it would be code.
	const depth = " ".repeat(mark === "" ? 0 : Math.min(indent.replaceAll("\t", "    ").length, 12));
	return [depth + mark.trim() + (mark === "" ? "" : " "), ...calmWords(rest), "  "];
}

const MARKED =
	/(?<ticks>`+)(?<code>[^`]+)\k<ticks>(?!`)|\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*|\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*/g;

/** Words with citations, code, bold and emphasis in them; underscores are parts of names more often than not. */
function calmWords(text: string): CalmPiece[] {
	return piecesOf(text).map((piece) => (typeof piece === "string" ? markedWords(piece) : piece.citation));
}

function markedWords(text: string): string {
	let words = "";
	let from = 0;
	for (const { 0: whole, index, groups = {} } of text.matchAll(MARKED)) {
		const { code, strong, emphasis = "" } = groups;
		words += escapedWithin(text.slice(from, index));
		if (code !== undefined) words += inlineCode(code);
		else words += strong === undefined ? `*${escapeMarkdown(emphasis)}*` : `**${escapeMarkdown(strong)}**`;
		from = index + whole.length;
	}
	return words + escapedWithin(text.slice(from));
}

/** Keeps blanks at both ends, which separate the text from its neighbours. */
function escapedWithin(text: string): string {
	const [before = "", after = ""] = [/^\s+/.exec(text)?.[0], /\S\s+$/.exec(text)?.[0]];
	return `${before && " "}${escapeMarkdown(text)}${after && " "}`;
}
