import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../core/agentEvent.ts";
import type { TranscriptTurn } from "../core/session.ts";
import { createTurnReader } from "./turnReader.ts";
import { fieldOf, textOf } from "./values.ts";

/**
 * A session's turns, from our journal and from what the CLI plays back when it loads the session. The journal knows
 * what the CLI forgets: thoughts, permissions, answers cut short, errors. The playback knows turns that were made
 * elsewhere. Turns that share a tool call are the same; others are where their questions are, in order.
 */
export function mergeReplay(
	journal: readonly TranscriptTurn[],
	replay: readonly SessionUpdate[],
): TranscriptTurn[] {
	const merged: TranscriptTurn[] = [];
	let next = 0;
	for (const played of turnsIn(replay)) {
		const at = journal.findIndex((turn, index) => index >= next && isSameTurn(turn, played));
		if (at < 0) {
			merged.push(played);
			continue;
		}
		// What stands only in the journal before it happened before it: the CLI does not keep a turn that failed.
		for (const own of journal.slice(next, at)) merged.push(own);
		merged.push(withPlayed(journal[at], played));
		next = at + 1;
	}
	return [...merged, ...journal.slice(next)].map((turn, index) => ({ ...turn, turn: index }));
}

function turnsIn(replay: readonly SessionUpdate[]): TranscriptTurn[] {
	const starts = replay.flatMap(({ sessionUpdate }, index) =>
		sessionUpdate === "user_message_chunk" && replay[index - 1]?.sessionUpdate !== sessionUpdate
			? [index]
			: [],
	);
	return starts.map((start, index) => toTurn(replay.slice(start, starts[index + 1])));
}

function toTurn(updates: readonly SessionUpdate[]): TranscriptTurn {
	const reader = createTurnReader();
	const question = updates
		.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")
		.map((update) => textOf(fieldOf(update, "content"), "text") ?? "")
		.join("");
	const events = [...updates.flatMap(reader.read), ...reader.flush()];
	return {
		turn: 0,
		at: 0,
		question: withoutStamp(question),
		attachments: [],
		events: events.filter(({ kind }) => kind !== "text"),
		answer: events.map((event) => (event.kind === "text" ? event.text : "")).join(""),
		outcome: "done",
		tokens: 0,
	};
}

/** The CLI puts the time before each question. */
function withoutStamp(question: string): string {
	return question.replace(/^<current_datetime>[^<]*<\/current_datetime>\s*/, "").trim();
}

function isSameTurn(own: TranscriptTurn, played: TranscriptTurn): boolean {
	const calls = callsOf(own.events);
	const playedCalls = callsOf(played.events);
	if (calls.size > 0 && playedCalls.size > 0) return !calls.isDisjointFrom(playedCalls);
	// Context that was attached stands before the question.
	return played.question.endsWith(own.question.trim());
}

function callsOf(events: readonly AgentEvent[]): ReadonlySet<string> {
	return new Set(events.flatMap((event) => ("call" in event ? [event.call.id] : [])));
}

/** The journal's turn, with calls that ended only after it was cut short. */
function withPlayed(own: TranscriptTurn | undefined, played: TranscriptTurn): TranscriptTurn {
	if (!own) return played;
	const ended = new Set(
		own.events.flatMap((event) => (event.kind === "toolFinished" ? [event.call.id] : [])),
	);
	const later = played.events.filter((event) => event.kind === "toolFinished" && !ended.has(event.call.id));
	return {
		...own,
		events: [...own.events, ...later],
		answer: own.answer.length >= played.answer.length ? own.answer : played.answer,
	};
}
