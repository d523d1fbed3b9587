import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { carries, type JournalEntry } from "../../core/session/journalEntry.ts";
import type { SessionSummary, StepRun, Transcript, TranscriptTurn } from "../../core/session/session.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenTurn = Writable<TranscriptTurn> & { readonly events: AgentEvent[] };

/** Renumbers turns by their questions, since two windows may use one number. Entries belong to the last question of theirs. */
export function toTranscript(session: SessionSummary, entries: readonly JournalEntry[]): Transcript {
	const turns: OpenTurn[] = [];
	const byNumber = new Map<number, OpenTurn>();
	const happened = new Map<OpenTurn, EventEntry[]>();
	for (const entry of entries.filter((entry) => "turn" in entry)) {
		if (entry.kind === "question") {
			const turn = openTurn(entry, turns.length);
			turns.push(turn);
			byNumber.set(entry.turn, turn);
		}
		const turn = byNumber.get(entry.turn);
		if (turn) addEntry(turn, entry, happened);
	}
	const instructions = entries.findLast((entry) => entry.kind === "instructions")?.text;
	const whole = turns.map((turn) => {
		const runs = stepRunsOf(happened.get(turn) ?? []);
		return runs.length === 0 ? turn : { ...turn, runs };
	});
	const summarized = entries.findLast((entry) => entry.kind === "summarized");
	const summary = summarized && { turns: summarized.turns, text: summarized.text, of: summarized.of };
	return { session, turns: whole, ...(instructions && { instructions }), ...(summary && { summary }) };
}

type EventEntry = Extract<JournalEntry, { kind: "event" }>;
type TurnEntry = Extract<JournalEntry, { turn: number }>;

function addEntry(turn: OpenTurn, entry: TurnEntry, happened: Map<OpenTurn, EventEntry[]>): void {
	if (entry.kind === "event") addEvent(turn, entry, happened);
	if (entry.kind === "answer") closeTurn(turn, entry);
	addMessage(turn, entry);
}

function addEvent(turn: OpenTurn, entry: EventEntry, happened: Map<OpenTurn, EventEntry[]>): void {
	turn.events.push(entry.event);
	if (entry.event.step === undefined) return;
	const entries = happened.get(turn) ?? [];
	entries.push(entry);
	happened.set(turn, entries);
}

/** Ignores an envelope that does not fit the entry. */
function addMessage(turn: OpenTurn, entry: TurnEntry): void {
	const { message, at } = entry;
	const call = entry.kind === "event" && "call" in entry.event ? entry.event.call : undefined;
	if (message && carries(message, call)) turn.messages = [...(turn.messages ?? []), { ...message, at }];
}

/** The entries of the first turns, numbered as in a transcript, without those about the whole session. */
export function firstTurns(entries: readonly JournalEntry[], turns: number): JournalEntry[] {
	const numbers = new Map<number, number>();
	let questions = 0;
	return entries.flatMap((entry): JournalEntry[] => {
		if (!("turn" in entry)) return [];
		if (entry.kind === "question") numbers.set(entry.turn, questions++);
		const turn = numbers.get(entry.turn);
		return turn !== undefined && turn < turns ? [{ ...entry, turn }] : [];
	});
}

function openTurn(entry: Extract<JournalEntry, { kind: "question" }>, turn: number): OpenTurn {
	const { at, text, command, attachments } = entry;
	return {
		turn,
		at,
		question: text,
		attachments,
		events: [],
		answer: "",
		tokens: 0,
		...(command !== undefined && { command }),
	};
}

function closeTurn(turn: OpenTurn, entry: Extract<JournalEntry, { kind: "answer" }>): void {
	turn.answer = entry.text;
	turn.outcome = entry.outcome;
	turn.tokens += (entry.inputTokens ?? 0) + (entry.outputTokens ?? 0);
	if (entry.error !== undefined) turn.error = entry.error;
	if (entry.spans) turn.spans = entry.spans;
}

type Changes = { -readonly [Key in keyof StepRun]?: StepRun[Key] | undefined };

/** The steps of a chain as they were tried, from what a turn's journal says of them. */
function stepRunsOf(happened: readonly EventEntry[]): StepRun[] {
	const runs: StepRun[] = [];
	const counted: number[] = [];
	for (const { at, event } of happened) {
		const { step } = event;
		if (step === undefined) continue;
		const last = runs.findLast((run) => run.step === step);
		if (event.kind === "stepStarted" && last?.attempt !== event.attempt)
			runs.push(beginningOf(step, event.agent, { attempt: event.attempt, at }));
		const index = runs.findLastIndex((run) => run.step === step);
		const run = runs[index];
		if (!run) continue;
		const tokens = (counted[index] ?? 0) + tokensIn(event);
		counted[index] = tokens;
		runs[index] = withChanges(run, { heardAt: at, ...changesBy(event, tokens, at) });
	}
	return runs;
}

function tokensIn(event: AgentEvent): number {
	return event.kind === "usage" ? event.inputTokens + event.outputTokens : 0;
}

function beginningOf(
	step: string,
	agent: string,
	{ attempt, at }: { readonly attempt: number; readonly at: number },
): StepRun {
	return { step, agent, attempt, startedAt: at, heardAt: at, tokens: 0 };
}

/** Until an engine has counted, uses the size of what its model was given. */
function changesBy(event: AgentEvent, counted: number, at: number): Changes {
	switch (event.kind) {
		case "stepStarted":
			// Repeated once its session is known.
			return event.session === undefined ? {} : { session: event.session };
		case "toolStarted":
			return { tool: event.call.name };
		case "toolFinished":
			return { tool: undefined };
		case "usage":
			return { tokens: counted };
		case "window":
			return { tokens: Math.max(counted, event.usedTokens) };
		case "stepFinished":
			return { tool: undefined, ended: { at, outcome: event.outcome, text: event.text } };
		default:
			return {};
	}
}

/** Plain data crosses the pipe: what is not there any more has no field. */
function withChanges(run: StepRun, changes: Changes): StepRun {
	const changed = Object.entries({ ...run, ...changes }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(changed) as unknown as StepRun;
}
