import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { citationsIn } from "../../core/knowledge/citation.ts";

/** A text whose brackets are citations, each of which a step was shown. */
export function eventsOf(text: string): AgentEvent[] {
	const events: AgentEvent[] = [];
	let from = 0;
	for (const { citation, offset, length } of citationsIn(text)) {
		events.push({ kind: "text", text: text.slice(from, offset) }, { kind: "citation", citation });
		from = offset + length;
	}
	return [...events, { kind: "text", text: text.slice(from) }];
}

/** What the steps of a chain wrote, without our words around it; empty for a plan. */
export function wordsOfSteps(events: readonly AgentEvent[]): string {
	return events.flatMap((event) => (event.kind === "stepFinished" ? event.text : [])).join("\n\n");
}
