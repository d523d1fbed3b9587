import * as vscode from "vscode";
import { l10n } from "vscode";
import { ifThere } from "../../base/failure.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import { visibleLines } from "../../base/text/visibleText.ts";
import { isQuoted } from "../../core/agent/turnAnswer.ts";
import { type Citation, citationsIn, formatCitation, LAST_LINE } from "../../core/knowledge/citation.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { KnowledgeReader, ReadQuery } from "../../core/knowledge/knowledge.ts";
import type { Channel, FromChannel } from "../../core/permission/permission.ts";
import type { CitedSpan } from "../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import type { CheckedStatement, CitedLines, Verdict } from "../../evidence/checkAnswer.ts";
import { type CheckedTurn, checkTurn, type TurnToCheck } from "../../evidence/checkTurn.ts";
import { findAgain, fingerprint } from "../../evidence/fingerprint.ts";
import { remarkOn, summaryOf, warningsOn } from "../../evidence/summary.ts";
import { locationOf } from "../folders.ts";
import { translated } from "../l10n.ts";
import type { TextViewer } from "../registerEach.ts";
import type { WorkerLink } from "../worker/link.ts";

export interface EvidenceDeps {
	readonly worker: WorkerLink;
	readonly documents: TextViewer;
	readonly log: vscode.LogOutputChannel;
}

export interface Findings {
	/** Summary of the comparison; empty if nothing was compared. */
	readonly summary: string;
	/** One sentence for each statement with parts that its cited lines do not contain. */
	readonly warnings: readonly string[];
	/** The cited lines, in a form that finds them again after changes. */
	readonly spans: readonly CitedSpan[];
}

const NAME = l10n.t("Evidence");
const SELECTOR = { scheme: "copilot-ld", pattern: `**/${NAME}` };

export function createEvidence({ worker, documents }: EvidenceDeps) {
	let lines: readonly EvidenceLine[] = [];
	const provideDocumentLinks = () => lines.flatMap(linkOf);
	const links = vscode.languages.registerDocumentLinkProvider(SELECTOR, { provideDocumentLinks });
	return {
		findingsOn: async (turn: TurnToCheck, signal: AbortSignal): Promise<Findings> => {
			const { statements, linesOf } = await checkTurn(worker, turn, signal);
			// Quoted answers cannot differ from their sources: no model wrote them.
			const compared = isQuoted(turn.events) ? [] : statements;
			return {
				summary: translated(summaryOf(compared)),
				warnings: warningsOn(compared),
				spans: spansIn(turn, linesOf),
			};
		},
		show: async ({ question, answer, events, command }: TranscriptTurn, signal: AbortSignal) => {
			const channel = command === "cli" ? "cli" : "chat";
			const checked = await checkTurn(worker, { answer, events, channel }, signal);
			lines = evidenceLines(question, checked);
			await documents.open(NAME, lines.map(({ text }) => text).join("\n"));
			return checked;
		},
		dispose: () => links.dispose(),
	};
}

function spansIn({ answer }: TurnToCheck, linesOf: CitedLines): CitedSpan[] {
	const citations = new Map(citationsIn(answer).map(({ citation }) => [formatCitation(citation), citation]));
	return [...citations.values()].flatMap((citation) => {
		const lines = linesOf(citation);
		return lines ? [fingerprint(citation, lines.text)] : [];
	});
}

function linkOf({ text, citation }: EvidenceLine, line: number): vscode.DocumentLink[] {
	const uri = citation && locationOf(citation)?.uri;
	if (!uri) return [];
	const { start, end } = citation.lines;
	const target = isExtracted(citation.path) ? uri : uri.with({ fragment: `L${start}-${end}` });
	const range = new vscode.Range(line, text.length - text.trimStart().length, line, text.length);
	return [new vscode.DocumentLink(range, target)];
}

/** Maximum number of lines shown of a citation. The citation's link leads to all lines. */
const LINES = 30;
const WIDTH = 300;
const WRAP_COLUMN = 76;

const MARKS: Readonly<Record<Verdict["kind"], string>> = {
	standing: "✓",
	missing: "✗",
	uncited: "?",
	unjudged: "·",
};

const HINT = [
	l10n.t(
		"This is a hint, not proof: it only looks for figures, dates, names, and quoted words in the cited lines as they are now.",
	),
	l10n.t("Paraphrases were not checked: a sentence may say the same as the lines in other words."),
];

interface EvidenceLine {
	readonly text: string;
	readonly citation?: Citation;
}

export function evidenceLines(question: string, { statements, linesOf }: CheckedTurn): EvidenceLine[] {
	const seen = new Set<string>();
	const summary = translated(summaryOf(statements)) || l10n.t("There is nothing to compare in this answer.");
	const asked = shown(question).map((line) => `> ${line}`);
	const source = (citation: Citation): EvidenceLine[] => {
		const name = formatCitation(citation);
		const isNew = !seen.has(name);
		seen.add(name);
		const lines = isNew ? sourceLines(citation, linesOf(citation)?.text) : ["(above)"];
		return [{ text: `    ${name.slice(1, -1)}`, citation }, ...lines.map(indented)];
	};
	return [
		...[...asked, "", summary, ...HINT].flatMap((text) => wrapped(text)).map((text) => ({ text })),
		...statements.flatMap((each) => [...statementLines(each), ...each.citations.flatMap(source)]),
	];
}

function statementLines(statement: CheckedStatement): EvidenceLine[] {
	const text = `${MARKS[statement.verdict.kind]}  ${shown(statement.text).join(" ")}`;
	const remark = wrapped(shown(translated(remarkOn(statement))).join(" ")).filter((line) => line !== "");
	return [{ text: "" }, ...wrapped(text, "   ").map((line) => ({ text: line })), ...remark.map(indented)];
}

function indented(line: string): EvidenceLine {
	return { text: `    ${line}` };
}

/** Wraps a text, because a narrow editor would hide the ends of long lines. */
function wrapped(text: string, indent = ""): string[] {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const last = lines.at(-1);
		if (last === undefined) lines.push(word);
		else if (last.length + word.length < WRAP_COLUMN) lines[lines.length - 1] = `${last} ${word}`;
		else lines.push(indent + word);
	}
	return lines;
}

function sourceLines({ lines: { start } }: Citation, text: string | undefined): string[] {
	if (text === undefined)
		return [l10n.t("These lines cannot be read: the file no longer exists or is not in the index.")];
	const lines = shown(text);
	const indents = lines.flatMap((line) => (line.trim() === "" ? [] : (/^\s*/.exec(line)?.[0].length ?? 0)));
	const indent = Math.min(...indents, WIDTH);
	const width = `${start + lines.length}`.length;
	const cut = lines.slice(0, LINES).map((line, index) => {
		const bare = line.slice(indent);
		const rest = bare.length > WIDTH ? `${bare.slice(0, WIDTH)} …` : bare;
		return `${`${start + index}`.padStart(width)}  ${rest}`.trimEnd();
	});
	return lines.length > LINES ? [...cut, `… ${l10n.t("and {0} more", lines.length - LINES)}`] : cut;
}

function shown(text: string): string[] {
	return visibleLines(text).split("\n");
}

/** Maximum number of citations to check in a session; the newest come first. */
const SPANS = 100;
const FILE_CHARACTERS = 2_000_000;

/** Adds a notice to turns for each citation whose lines have changed. Turns without hashes stay as they are. */
export async function withNotes(
	knowledge: KnowledgeReader,
	turns: readonly TranscriptTurn[],
	signal: AbortSignal,
): Promise<TranscriptTurn[]> {
	const filesAt = memoize((channel: Channel) =>
		memoize((target: string) =>
			textOf(knowledge, { target, maxCharacters: FILE_CHARACTERS, channel }, signal),
		),
	);
	let left = SPANS;
	const noted: TranscriptTurn[] = [];
	for (const turn of turns.toReversed()) {
		const spans = (turn.spans ?? []).slice(0, left);
		left -= spans.length;
		const read = filesAt(turn.command === "cli" ? "cli" : "chat");
		const notes = await Promise.all(spans.map((span) => noteOn(span, read)));
		const notices = notes.filter((text) => text !== "").map((text) => ({ kind: "notice", text }) as const);
		noted.unshift(notices.length > 0 ? { ...turn, events: [...turn.events, ...notices] } : turn);
	}
	return noted;
}

async function noteOn(
	span: CitedSpan,
	read: (target: string) => Promise<string | undefined>,
): Promise<string> {
	const name = nameOf(span);
	const whole = { ...span.lines, start: 1, end: LAST_LINE };
	const text = await read(formatCitation({ path: span.path, lines: whole }));
	if (text === undefined) return l10n.t("{0} can no longer be read.", name);
	const state = findAgain(span, text);
	if (state.kind === "same") return "";
	if (!state.lines)
		return l10n.t("{0} has changed since this answer: what was cited is no longer in the file.", name);
	const place = nameOf({ path: span.path, lines: state.lines });
	if (state.kind === "moved") return l10n.t("{0} is now at {1}.", name, place);
	return place === name
		? l10n.t("{0} has changed since this answer.", name)
		: l10n.t("{0} has changed since this answer; {1} is now most similar to it.", name, place);
}

function nameOf(citation: Citation): string {
	return formatCitation(citation).slice(1, -1);
}

async function textOf({ read }: KnowledgeReader, query: FromChannel<ReadQuery>, signal: AbortSignal) {
	const found = await ifThere(() => read(query, signal));
	const [first] = found?.parts ?? [];
	// A sheet may start below its first row.
	return first && "\n".repeat(first.lines.start - 1) + first.text;
}
