import * as z from "zod/mini";
import { parseJson } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { carries, type EntryOf, type JournalEntry, journalEntry } from "../../core/session/journalEntry.ts";
import type { SessionSummary, StepRun, Transcript, TranscriptTurn } from "../../core/session/session.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface OpenTurn {
	readonly turn: Writable<TranscriptTurn> & { readonly events: AgentEvent[] };
	readonly steps: EntryOf<"event">[];
}

type TurnEntry = Extract<JournalEntry, { turn: number }>;

/** Compiled, because thousands of lines are read at startup. */
const schema = z.compile(journalEntry);

/** Returns `undefined` for torn lines and unknown kinds. */
export function parseEntry(line: string): JournalEntry | undefined {
	return schema.safeParse(parseJson(line)).data;
}

export function isMessage(entry: JournalEntry): entry is EntryOf<"question" | "answer"> {
	return entry.kind === "question" || entry.kind === "answer";
}

/** Numbers turns by their questions, because two windows may use the same number. */
export function numberTurns(): (entry: TurnEntry) => number | undefined {
	const numbers = new Map<number, number>();
	let questions = 0;
	return (entry) => {
		if (entry.kind === "question") numbers.set(entry.turn, questions++);
		return numbers.get(entry.turn);
	};
}

export function toTranscript(session: SessionSummary, entries: readonly JournalEntry[]): Transcript {
	const turns: OpenTurn[] = [];
	const numberOf = numberTurns();
	for (const entry of entries.filter((entry) => "turn" in entry)) {
		const number = numberOf(entry);
		if (number === undefined) continue;
		if (entry.kind === "question") turns.push({ turn: openTurn(entry, number), steps: [] });
		const open = turns[number];
		if (open) addEntry(open, entry);
	}
	const whole = turns.map(({ turn, steps }) => {
		const runs = stepRunsOf(steps);
		return runs.length === 0 ? turn : { ...turn, runs };
	});
	const instructions = entries.findLast((entry) => entry.kind === "instructions")?.text;
	const summarized = entries.findLast((entry) => entry.kind === "summarized");
	const summary = summarized && { turns: summarized.turns, text: summarized.text, of: summarized.of };
	return { session, turns: whole, ...(instructions && { instructions }), ...(summary && { summary }) };
}

function addEntry({ turn, steps }: OpenTurn, entry: TurnEntry): void {
	if (entry.kind === "event") turn.events.push(entry.event);
	if (entry.kind === "event" && entry.event.step !== undefined) steps.push(entry);
	if (entry.kind === "answer") closeTurn(turn, entry);
	const { message, at } = entry;
	const call = entry.kind === "event" && "call" in entry.event ? entry.event.call : undefined;
	if (message && carries(message, call)) turn.messages = [...(turn.messages ?? []), { ...message, at }];
}

/** Returns the entries of the first turns, numbered as in a transcript. Omits entries of the session itself. */
export function firstTurns(entries: readonly JournalEntry[], turns: number): JournalEntry[] {
	const numberOf = numberTurns();
	const ofTurns = entries.filter((entry) => "turn" in entry);
	return ofTurns.flatMap((entry): JournalEntry[] => {
		const turn = numberOf(entry);
		return turn !== undefined && turn < turns ? [{ ...entry, turn }] : [];
	});
}

function openTurn({ at, text: question, command, attachments }: EntryOf<"question">, turn: number) {
	const asked = { turn, at, question, attachments, ...(command !== undefined && { command }) };
	const events: AgentEvent[] = [];
	return { ...asked, events, answer: "", tokens: 0 };
}

function closeTurn(turn: OpenTurn["turn"], entry: EntryOf<"answer">): void {
	turn.answer = entry.text;
	turn.outcome = entry.outcome;
	turn.tokens += (entry.inputTokens ?? 0) + (entry.outputTokens ?? 0);
	if (entry.error !== undefined) turn.error = entry.error;
	if (entry.spans) turn.spans = entry.spans;
}

interface OpenRun {
	readonly run: Writable<StepRun>;
	counted: number;
}

function stepRunsOf(happened: readonly EntryOf<"event">[]): StepRun[] {
	const runs: OpenRun[] = [];
	for (const { at, event } of happened) {
		const { step = "" } = event;
		const last = runs.findLast(({ run }) => run.step === step);
		if (event.kind === "stepStarted" && last?.run.attempt !== event.attempt) {
			const { agent, attempt } = event;
			runs.push({ run: { step, agent, attempt, startedAt: at, heardAt: at, tokens: 0 }, counted: 0 });
		}
		const open = runs.findLast(({ run }) => run.step === step);
		if (open) addToRun(open, event, at);
	}
	return runs.map(({ run }) => run);
}

function addToRun(open: OpenRun, event: AgentEvent, at: number): void {
	const { run } = open;
	run.heardAt = at;
	switch (event.kind) {
		case "stepStarted":
			// `stepStarted` occurs again when the session of the step is known.
			if (event.session !== undefined) run.session = event.session;
			break;
		case "toolStarted":
			run.tool = event.call.name;
			break;
		case "toolFinished":
			delete run.tool;
			break;
		case "usage":
			open.counted += event.inputTokens + event.outputTokens;
			run.tokens = open.counted;
			break;
		case "window":
			// Until the engine counts tokens, the used part of the model's window is the best estimate.
			run.tokens = Math.max(open.counted, event.usedTokens);
			break;
		case "stepFinished":
			delete run.tool;
			run.ended = { at, outcome: event.outcome, text: event.text };
			break;
		default:
	}
}
