import * as vscode from "vscode";
import { isQuoted } from "../../core/agent/turnAnswer.ts";
import { type Citation, citationsIn, formatCitation } from "../../core/knowledge/citation.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { CitedSpan } from "../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { fingerprint } from "../../evidence/fingerprint.ts";
import { summaryOf, warningsOn } from "../../evidence/summary.ts";
import { locationOf } from "../folders.ts";
import { translated } from "../reported.ts";
import type { TextViewer } from "../virtualDocuments.ts";
import { type CheckedTurn, type CheckPorts, checkTurn, type TurnToCheck } from "./checkTurn.ts";
import type { CitedLines } from "./citedLines.ts";
import { type EvidenceLine, evidenceLines } from "./evidenceText.ts";
import { withNotes } from "./spanNotes.ts";

export interface EvidenceDeps extends CheckPorts {
	readonly documents: TextViewer;
}

/** What stands under an answer. */
export interface Findings {
	/** Empty where nothing was compared. */
	readonly summary: string;
	/** What does not stand in cited lines, a sentence for each statement. */
	readonly warnings: readonly string[];
	/** The lines that are cited, to be known again. */
	readonly spans: readonly CitedSpan[];
	/** The same lines as they are. */
	readonly quotes: readonly QuotedLines[];
}

/** Lines that an answer cites, as they are. */
export interface QuotedLines {
	readonly citation: Citation;
	readonly text: string;
}

/** Compares answers with what they cite. */
export interface Evidence extends vscode.Disposable {
	findingsOn(turn: TurnToCheck, signal: AbortSignal): Promise<Findings>;
	/** Opens each statement of a turn over its lines. */
	show(turn: TranscriptTurn, signal: AbortSignal): Promise<CheckedTurn>;
	/** Turns that say which of their citations are not what they were. */
	noted(turns: readonly TranscriptTurn[], signal: AbortSignal): Promise<TranscriptTurn[]>;
}

export function createEvidence({ documents, ...ports }: EvidenceDeps): Evidence {
	const view = createEvidenceView(documents);
	return {
		findingsOn: async (turn, signal) => {
			const { statements, linesOf } = await checkTurn(ports, turn, signal);
			// Only what a model wrote can differ from its sources.
			const compared = isQuoted(turn.events) ? [] : statements;
			const quotes = quotesIn(turn, linesOf);
			return {
				summary: translated(summaryOf(compared)),
				warnings: warningsOn(compared),
				spans: quotes.map(({ citation, text }) => fingerprint(citation, text)),
				quotes,
			};
		},
		show: async ({ question, answer, events, command }, signal) => {
			const door = command === "cli" ? "cli" : "chat";
			const checked = await checkTurn(ports, { answer, events, door }, signal);
			await view.show(evidenceLines(question, checked));
			return checked;
		},
		noted: (turns, signal) => withNotes(ports.knowledge, turns, signal),
		dispose: view.dispose,
	};
}

function quotesIn({ answer }: TurnToCheck, linesOf: CitedLines): QuotedLines[] {
	const citations = new Map(citationsIn(answer).map(({ citation }) => [formatCitation(citation), citation]));
	return [...citations.values()].flatMap((citation) => {
		const lines = linesOf(citation);
		return lines ? [{ citation, text: lines.text }] : [];
	});
}

const NAME = vscode.l10n.t("Evidence");

/** Shows lines in an editor, with links to where they stand. */
interface EvidenceView extends vscode.Disposable {
	show(lines: readonly EvidenceLine[]): Promise<void>;
}

function createEvidenceView(documents: TextViewer): EvidenceView {
	let shown: readonly EvidenceLine[] = [];
	const styles = {
		// That of lists is no color in high contrast.
		remark: styled("editorWarning.foreground"),
		source: styled("descriptionForeground"),
	};
	const links = vscode.languages.registerDocumentLinkProvider(
		{ scheme: "copilot-ld", pattern: `**/${NAME}` },
		{
			provideDocumentLinks: () =>
				shown.flatMap(({ text, citation }, line) => {
					const target = citation && targetOf(citation);
					return target ? [new vscode.DocumentLink(rangeOf(text, line), target)] : [];
				}),
		},
	);
	return {
		show: async (lines) => {
			shown = lines;
			const editor = await documents.open(NAME, lines.map(({ text }) => text).join("\n"));
			for (const [kind, style] of Object.entries(styles))
				editor.setDecorations(
					style,
					lines.flatMap((line, index) => (line.kind === kind ? [rangeOf(line.text, index)] : [])),
				);
		},
		dispose: () => vscode.Disposable.from(links, ...Object.values(styles)).dispose(),
	};
}

function styled(color: string): vscode.TextEditorDecorationType {
	return vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(color) });
}

/** Without what it is indented by. */
function rangeOf(text: string, line: number): vscode.Range {
	return new vscode.Range(line, text.length - text.trimStart().length, line, text.length);
}

function targetOf(citation: Citation): vscode.Uri | undefined {
	const { start, end } = citation.lines;
	const uri = locationOf(citation)?.uri;
	return isExtracted(citation.path) ? uri : uri?.with({ fragment: `L${start}-${end}` });
}
