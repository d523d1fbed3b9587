import { l10n } from "vscode";
import { escapeMarkdown, fenced, inlineCode, shownLines, visibleLines } from "../../base/text/visibleText.ts";
import { type Citation, piecesOf } from "../../core/knowledge/citation.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { callLine } from "../cli/eventView.ts";
import { amounts, counted } from "../l10n.ts";

/** Maximum characters of all questions and answers. Earlier turns are shown in the Sessions view only. */
const MOST_CHARACTERS = 800_000;
const CALLS = 10;
const CHARACTERS = 4000;

export interface Replayed {
	readonly title: string;
	readonly turns: readonly TranscriptTurn[];
	readonly folder?: string;
}

/** Renders a session for the chat that continues it. The text is untrusted, so nothing in it is active. */
export function replayText({ title, turns, folder }: Replayed): CalmPiece[] {
	const count = amounts.turns(turns.length);
	const place = folder ? ` ${l10n.t("It works in {0}.", inlineCode(folder))}` : "";
	const head = l10n.t("This chat continues **{0}** ({1}).", escapeMarkdown(title), count) + place;
	let room = MOST_CHARACTERS;
	const tooFar = turns.findLastIndex(({ question, answer }) => {
		room -= cut(question).length + cut(answer).length;
		return room < 0;
	});
	const left = tooFar + 1;
	const skipped = left > 0 ? [`*${skippedText(left)}*`] : [];
	return [[head, ...skipped].join("\n\n"), ...turns.slice(left).flatMap(turnPieces)];
}

const skippedText = counted(
	l10n.t("1 earlier turn is shown in the Sessions view."),
	l10n.t("{0} earlier turns are shown in the Sessions view."),
);

function turnPieces({ question, events, answer, outcome, error }: TranscriptTurn): CalmPiece[] {
	const finished = events.filter((event) => event.kind === "toolFinished");
	const calls = finished.map(
		({ ok, call }) => `- ${ok ? "✓" : "✗"} ${callLine(escapeMarkdown(call.name), call.input)}`,
	);
	const notes = events.flatMap((event) =>
		event.kind === "notice" ? [`> ${escapeMarkdown(event.text)}`] : [],
	);
	const more = calls.length > CALLS ? [`- *${l10n.t("and {0} more", calls.length - CALLS)}*`] : [];
	const list = [...calls.slice(0, CALLS), ...more].join("\n");
	const ending =
		error !== undefined
			? `*${l10n.t("The turn failed: {0}", escapeMarkdown(error))}*`
			: ENDINGS[outcome ?? "cancelled"];
	const told = (...parts: readonly string[]) =>
		parts.flatMap((part) => (part === "" ? [] : [`\n\n${part}`])).join("");
	const asked = told("---", `**${l10n.t("You:")}** ${quoted(question)}`, list);
	return [`${asked}\n\n`, ...calmMarkdown(cut(answer)), told(...notes, ending)];
}

const ENDINGS = {
	done: "",
	failed: `*${l10n.t("The turn failed.")}*`,
	roundLimit: `*${l10n.t("The turn ended after too many tool calls.")}*`,
	cancelled: `*${l10n.t("The turn was not finished.")}*`,
} as const;

function quoted(text: string): string {
	// Two spaces keep the line breaks; escaping keeps lines from becoming code, lists or headings.
	return cut(text)
		.split(/\r\n|[\r\n]/)
		.map((line) => escapeMarkdown(line.trimStart()))
		.join("  \n");
}

function cut(text: string): string {
	const trimmed = text.trim();
	return trimmed.length > CHARACTERS ? `${trimmed.slice(0, CHARACTERS)} …` : trimmed;
}

type CalmPiece = string | Citation;

const FENCE = /^\s{0,3}(?<mark>`{3,}|~{3,})(?<language>[\w+-]*)/;

/** Renders untrusted Markdown as escaped paragraphs, lists, quotations, code and emphasis only. */
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

/** Rewrites a line with its indentation and marker. Two spaces at the end keep the line break. */
function calmLine(line: string): CalmPiece[] {
	const {
		indent = "",
		mark = "",
		rest = "",
	} = /^(?<indent>\s*)(?<mark>#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>\s?)?(?<rest>.*)$/.exec(line)?.groups ?? {};
	if (rest.trim() === "") return [];
	if (mark.startsWith("#")) return ["\n**", escapeMarkdown(rest.replace(/\s#+\s*$|\*\*/g, "")), "**\n"];
	// Deeper indentation, or any indentation without a list marker, would mean code.
	const depth = " ".repeat(mark === "" ? 0 : Math.min(indent.replaceAll("\t", "    ").length, 12));
	const words = piecesOf(rest).map((piece) =>
		typeof piece === "string" ? markedWords(piece) : piece.citation,
	);
	return [depth + mark.trim() + (mark === "" ? "" : " "), ...words, "  "];
}

const MARKED =
	/(?<ticks>`+)(?<code>[^`]+)\k<ticks>(?!`)|\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*|\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*/g;

/** Renders code, bold and emphasis. Ignores underscores, which are mostly parts of names. */
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

/** Escapes text, but keeps a space at either end, which separates the text from its neighbors. */
function escapedWithin(text: string): string {
	const [before = "", after = ""] = [/^\s+/.exec(text)?.[0], /\S\s+$/.exec(text)?.[0]];
	return `${before && " "}${escapeMarkdown(text)}${after && " "}`;
}
