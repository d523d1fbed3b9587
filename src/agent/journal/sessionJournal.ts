import { ifThere, isFailure } from "../../base/failure.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import {
	type CitedSpan,
	ENGINE_NAMES,
	type Engine,
	type Envelope,
	type JournalEntry,
	type Outcome,
	type PartOf,
	type Party,
	partyCalled,
} from "../../core/session/journalEntry.ts";
import type { SessionJournals, SessionReader } from "../../core/session/session.ts";

export type SessionJournal = ReturnType<typeof createSessionJournal>;

export interface Question {
	readonly text: string;
	readonly command?: string;
	readonly attachments: readonly string[];
	/** Whether the session is new. If not, the number of earlier turns is read from the session's journal. */
	readonly isFirst: boolean;
	readonly partOf?: PartOf;
}

export type TurnJournal = ReturnType<typeof createTurnJournal>;

interface Ending {
	/** Markdown with citations in brackets; incomplete if the turn was cut short. */
	readonly text: string;
	readonly outcome: Outcome;
	readonly error?: string;
	readonly spans?: readonly CitedSpan[];
}

/** Kinds of events that are not stored, because the answer contains their text or they are not worth keeping. */
const UNWRITTEN: readonly AgentEvent["kind"][] = ["text", "citation", "progress", "toolUpdated"];

/** Signal for writes, which finish even if the user cancels the turn. */
const never = new AbortController().signal;

export function createSessionJournal(deps: {
	readonly sessions: SessionJournals;
	readonly engine: Engine;
	/** URI of the window's first folder; empty if no folder is open. */
	workspace(): string;
	/** Returns the sender and the recipient of a question; by default, the user and the engine. */
	parties?(asked: Question): Parties;
}) {
	const { engine } = deps;
	const sessions = { ...deps.sessions, append: appendAgain(deps.sessions) };
	const turnsOf = new Map<string, number>();
	const turnsBefore = async (session: string, { isFirst }: Question) =>
		turnsOf.get(session) ?? (isFirst ? undefined : (await readIfThere(sessions, session))?.turns.length);
	return {
		/** Resolves when the question is written. If this rejects with a `Failure`, the turn can still run. */
		begin: async (session: string, asked: Question) => {
			const known = await turnsBefore(session, asked);
			const [at, turn] = [Date.now(), known ?? 0];
			const { text, attachments, command, partOf } = asked;
			const by = command === "cli" ? "cli" : engine;
			const chat = [USER, { role: "cerebrum", id: by, name: ENGINE_NAMES[by] }] as const;
			const envelopes = createEnvelopes(deps.parties?.(asked) ?? chat);
			const question: JournalEntry = {
				kind: "question",
				at,
				turn,
				text,
				attachments,
				...(command !== undefined && { command }),
				message: envelopes.question(),
			};
			const append = (...entries: readonly JournalEntry[]) => sessions.append(session, entries, never);
			const isThere = known !== undefined && (await ifThere(() => append(question).then(() => true)));
			const own = { at, engine: by, workspace: deps.workspace(), ...(partOf && { partOf }) };
			if (!isThere) await append({ kind: "session", ...own }, question);
			turnsOf.set(session, turn + 1);
			return createTurnJournal({ turn, at, envelopes }, (entries) => append(...entries));
		},
	};
}

/** Retries once if the worker stopped before it wrote the entries, because the next request restarts the worker. */
function appendAgain(sessions: SessionJournals): SessionJournals["append"] {
	return (session, entries, signal) =>
		sessions.append(session, entries, signal).catch(async (thrown: unknown) => {
			if (!isFailure(thrown) || thrown.code !== "WORKER_STOPPED") throw thrown;
			if (await endsWith(sessions, session, entries.at(-1))) return;
			await sessions.append(session, entries, signal);
		});
}

/** Resolves with `undefined` if the session's journal was deleted, or if the session is older than journals. */
function readIfThere(sessions: SessionReader, session: string) {
	return ifThere(() => sessions.read(session, never));
}

async function endsWith(sessions: SessionReader, session: string, entry?: JournalEntry): Promise<boolean> {
	const last = (await readIfThere(sessions, session))?.turns.at(-1);
	switch (entry?.kind) {
		case "question":
			return last?.turn === entry.turn && last.at === entry.at;
		case "answer":
			return last?.turn === entry.turn && last.outcome !== undefined;
		case "event":
			return JSON.stringify(last?.events.at(-1)) === JSON.stringify(entry.event);
		default:
			return false;
	}
}

/** Entries that are added during a write are written together after this write. */
function createTurnJournal(
	{ turn, at, envelopes }: { readonly turn: number; readonly at: number; readonly envelopes: Envelopes },
	write: (entries: readonly JournalEntry[]) => Promise<void>,
) {
	const waiting: JournalEntry[] = [];
	const tokens = { inputTokens: 0, outputTokens: 0 };
	let failure: unknown;
	const flush = coalesce(async () => {
		try {
			if (waiting.length > 0) await write(waiting.splice(0));
		} catch (thrown) {
			failure ??= thrown;
		}
	});
	return {
		/** Time of the question in the journal, in milliseconds since 1970. */
		at,
		note: (event: AgentEvent) => {
			if (event.kind === "usage") {
				tokens.inputTokens += event.inputTokens;
				tokens.outputTokens += event.outputTokens;
			}
			// `window` events are stored only for steps, whose use of tokens they show.
			if (UNWRITTEN.includes(event.kind) || (event.kind === "window" && event.step === undefined)) return;
			addEvent(waiting, turn, { event, message: envelopes.of(event) });
			void flush();
		},
		/** Resolves when the whole turn is written. Rejects with a `Failure` if any part is not written. */
		end: async (ending: Ending) => {
			await flush();
			const message = envelopes.answer();
			waiting.push({ kind: "answer", at: Date.now(), turn, ...ending, ...tokens, message });
			await flush();
			if (failure) throw failure;
		},
	};
}

function addEvent(
	waiting: JournalEntry[],
	turn: number,
	{ event, message }: { readonly event: AgentEvent; readonly message: Envelope | undefined },
): void {
	const last = waiting.at(-1);
	const isThought = last?.kind === "event" && last.event.kind === "thought" && event.kind === "thought";
	if (isThought && last.event.step === event.step) {
		const thought = { ...event, text: last.event.text + event.text };
		waiting[waiting.length - 1] = { ...last, event: thought };
	} else waiting.push({ kind: "event", at: Date.now(), turn, event, ...(message && { message }) });
}

type Envelopes = ReturnType<typeof createEnvelopes>;
type Parties = readonly [asker: Party, answerer: Party];

const USER: Party = { role: "user", id: "user", name: "" };

function createEnvelopes([asker, answerer]: Parties) {
	const thread = crypto.randomUUID();
	const asked = (): Envelope => message(thread, asker, answerer, "text/plain");
	return {
		question: asked,
		answer: () => ({ ...replyTo(asked()), contentType: "text/markdown" }),
		of: (event: AgentEvent) => {
			if (event.kind !== "toolStarted" && event.kind !== "toolFinished") return undefined;
			const { step, call: called } = event;
			// The model chooses the ids of calls, which may occur again in other steps.
			const own = [step, called.id].filter((part) => part !== undefined && part !== "").join("/") || "call";
			const call = message(own, callerOf(event, answerer), partyCalled(event.call), "command");
			return event.kind === "toolStarted" ? call : replyTo(call);
		},
	};
}

function message(thread: string, sender: Party, receiver: Party, contentType: string): Envelope {
	return { id: crypto.randomUUID(), thread, sender, receiver, contentType };
}

function replyTo({ sender, receiver, ...call }: Envelope): Envelope {
	return { ...call, id: crypto.randomUUID(), sender: receiver, receiver: sender };
}

type CallEvent = Extract<AgentEvent, { readonly kind: "toolStarted" | "toolFinished" }>;

/** Returns the caller: a plugin's copilot, a step of a chain, or the answering engine. */
function callerOf({ step, within }: CallEvent, cerebrum: Party): Party {
	if (within !== undefined) return { role: "plugin", id: within, name: within };
	return step === undefined ? cerebrum : { role: "cerebrum", id: step, name: step };
}
