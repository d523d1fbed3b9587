import type * as vscode from "vscode";
import { isQuoted } from "../../core/agent/turnAnswer.ts";
import { type Citation, citationsIn, formatCitation } from "../../core/knowledge/citation.ts";
import type { CitedSpan } from "../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { fingerprint } from "../../evidence/fingerprint.ts";
import { summaryOf, warningsOn } from "../../evidence/summary.ts";
import { translated } from "../reported.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { type CheckedTurn, type CheckPorts, checkTurn, type TurnToCheck } from "./checkTurn.ts";
import type { CitedLines } from "./citedLines.ts";
import { evidenceLines } from "./evidenceText.ts";
import { createEvidenceView } from "./evidenceView.ts";
import { withNotes } from "./spanNotes.ts";

export interface EvidenceDeps extends CheckPorts {
	readonly documents: Pick<VirtualDocuments, "open">;
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
