import type * as vscode from "vscode";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { summaryOf, warningsOn } from "../../evidence/summary.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { type CheckedTurn, checkTurn, type TurnToCheck } from "./checkTurn.ts";
import { evidenceLines } from "./evidenceText.ts";
import { createEvidenceView } from "./evidenceView.ts";

export interface EvidenceDeps {
	readonly knowledge: Pick<Knowledge, "read">;
	readonly documents: Pick<VirtualDocuments, "open">;
}

/** What stands under an answer. */
export interface Findings {
	/** Empty where nothing was compared. */
	readonly summary: string;
	/** What does not stand in cited lines, a sentence for each statement. */
	readonly warnings: readonly string[];
}

/** Compares answers with what they cite. */
export interface Evidence extends vscode.Disposable {
	findingsOn(turn: TurnToCheck, signal: AbortSignal): Promise<Findings>;
	/** Opens each statement of a turn over its lines. */
	show(turn: TranscriptTurn, signal: AbortSignal): Promise<CheckedTurn>;
}

export function createEvidence({ knowledge, documents }: EvidenceDeps): Evidence {
	const view = createEvidenceView(documents);
	return {
		findingsOn: async (turn, signal) => {
			const { statements } = await checkTurn(knowledge, turn, signal);
			return { summary: summaryOf(statements), warnings: warningsOn(statements) };
		},
		show: async ({ question, answer, events, command }, signal) => {
			const door = command === "cli" ? "cli" : "chat";
			const checked = await checkTurn(knowledge, { answer, events, door }, signal);
			await view.show(evidenceLines(question, checked));
			return checked;
		},
		dispose: view.dispose,
	};
}
