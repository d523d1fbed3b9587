import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { piecesOf } from "../../core/knowledge/citation.ts";

/** A text whose brackets are citations, each of which a step was shown. */
export function eventsOf(text: string): AgentEvent[] {
	return piecesOf(text).map((piece) =>
		typeof piece === "string"
			? { kind: "text", text: piece }
			: { kind: "citation", citation: piece.citation },
	);
}

/** What the steps of a chain wrote, without our words around it; empty for a plan. */
export function wordsOfSteps(events: readonly AgentEvent[]): string {
	return events.flatMap((event) => (event.kind === "stepFinished" ? event.text : [])).join("\n\n");
}
