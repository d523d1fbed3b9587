import type { AgentEvent } from "../../../core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../../core/session/session.ts";

/**
 * Merges turns of our journal, which have more details, with turns of the CLI, some of which ran elsewhere. Turns
 * with shared calls are the same.
 */
export function mergeTurns(journal: readonly TranscriptTurn[], stored: readonly TranscriptTurn[]) {
	const merged: TranscriptTurn[] = [];
	let next = 0;
	for (const other of stored) {
		const at = journal.findIndex((turn, index) => index >= next && isSameTurn(turn, other));
		if (at < 0) {
			merged.push(other);
			continue;
		}
		// Turns found only in the journal keep their position, because the CLI does not store failed turns.
		for (const own of journal.slice(next, at)) merged.push(own);
		merged.push(withStored(journal[at], other));
		next = at + 1;
	}
	return [...merged, ...journal.slice(next)].map((turn, index) => ({ ...turn, turn: index }));
}

function isSameTurn(own: TranscriptTurn, stored: TranscriptTurn): boolean {
	const calls = callsOf(own.events);
	const storedCalls = callsOf(stored.events);
	if (calls.size > 0 && storedCalls.size > 0) return !calls.isDisjointFrom(storedCalls);
	// The stored question may begin with attached context.
	return stored.question.endsWith(own.question.trim());
}

function callsOf(events: readonly AgentEvent[]): ReadonlySet<string> {
	return new Set(events.flatMap((event) => ("call" in event ? [event.call.id] : [])));
}

function withStored(own: TranscriptTurn | undefined, stored: TranscriptTurn): TranscriptTurn {
	if (!own) return stored;
	const ended = new Set(
		own.events.flatMap((event) => (event.kind === "toolFinished" ? [event.call.id] : [])),
	);
	const later = stored.events.filter((event) => event.kind === "toolFinished" && !ended.has(event.call.id));
	return {
		...own,
		events: [...own.events, ...later],
		answer: own.answer.length >= stored.answer.length ? own.answer : stored.answer,
	};
}
