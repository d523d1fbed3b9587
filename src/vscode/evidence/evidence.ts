import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { summaryOf, warningsOn } from "../../evidence/summary.ts";
import { locationOf } from "../folders.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { type CheckedTurn, checkTurn, type TurnToCheck } from "./checkTurn.ts";
import { evidenceDocument } from "./evidenceDocument.ts";

interface EvidenceDeps {
	readonly knowledge: Pick<Knowledge, "read">;
	readonly documents: Pick<VirtualDocuments, "show">;
}

/** What stands under an answer. */
export interface Findings {
	/** Empty where nothing was compared. */
	readonly summary: string;
	/** What does not stand in cited lines, a sentence for each statement. */
	readonly warnings: readonly string[];
}

/** Compares answers with what they cite. */
export interface Evidence {
	findingsOn(turn: TurnToCheck, signal: AbortSignal): Promise<Findings>;
	/** Opens each statement of a turn beside its lines. */
	show(turn: TranscriptTurn, signal: AbortSignal): Promise<CheckedTurn>;
}

export function createEvidence({ knowledge, documents }: EvidenceDeps): Evidence {
	return {
		findingsOn: async (turn, signal) => {
			const { statements } = await checkTurn(knowledge, turn, signal);
			return { summary: summaryOf(statements), warnings: warningsOn(statements) };
		},
		show: async ({ question, answer, events, command }, signal) => {
			const door = command === "cli" ? "cli" : "chat";
			const checked = await checkTurn(knowledge, { answer, events, door }, signal);
			const linkTo = (citation: Parameters<typeof locationOf>[0]) => {
				const location = locationOf(citation);
				return location?.uri.with({ fragment: `L${citation.lines.start}` }).toString();
			};
			await documents.show("Evidence.md", evidenceDocument(question, checked, linkTo));
			return checked;
		},
	};
}
