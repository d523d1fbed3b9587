import type { AgentEvent } from "../agent/agentEvent.ts";
import type { StepOutcome } from "../agent/chain.ts";
import type { CitedSpan, Engine, JournalEntry, Outcome, PartOf, SentMessage } from "./journalEntry.ts";

/** A conversation, as lists show it. Times are milliseconds since 1970. */
export interface SessionSummary {
	readonly id: string;
	readonly title: string;
	readonly engine: Engine;
	/** URI of the first folder of the window that started it; empty if no folder was open. */
	readonly workspace: string;
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly turns: number;
	/** Tokens that models read and wrote, as far as they were counted. */
	readonly tokens: number;
	readonly archived: boolean;
	readonly partOf?: PartOf;
}

export interface Transcript {
	readonly session: SessionSummary;
	readonly turns: readonly TranscriptTurn[];
	readonly instructions?: string;
	/** Its first turns in short, as a model was given them. */
	readonly summary?: KeptSummary;
}

export interface KeptSummary {
	/** How many turns from the first on it speaks of. */
	readonly turns: number;
	readonly text: string;
	/** Digest of these turns' texts: the summary does not apply to other turns. */
	readonly of: string;
}

export interface TranscriptTurn {
	readonly turn: number;
	readonly at: number;
	readonly question: string;
	readonly command?: string;
	readonly attachments: readonly string[];
	/** In order, without the words of the answer. */
	readonly events: readonly AgentEvent[];
	readonly answer: string;
	readonly outcome?: Outcome;
	readonly error?: string;
	/** The lines that it cites, as they were then. */
	readonly spans?: readonly CitedSpan[];
	readonly tokens: number;
	/** What was said to whom in it: its question, its calls with their replies, and its answer; none of older turns. */
	readonly messages?: readonly SentMessage[];
	/** Each try of each step of a chain, in the order in which they began. Their events carry the ids of the steps. */
	readonly runs?: readonly StepRun[];
}

/** A step that was at work, or is. Times are milliseconds since 1970. */
export interface StepRun {
	readonly step: string;
	readonly agent: string;
	readonly session?: string;
	/** From 1. */
	readonly attempt: number;
	readonly startedAt: number;
	/** The last that it gave a sign of life. */
	readonly heardAt: number;
	readonly tokens: number;
	readonly tool?: string;
	/** Absent while it is running, and if its process died. */
	readonly ended?: { readonly at: number; readonly outcome: StepOutcome; readonly text: string };
}

export interface SessionQuery {
	readonly engine?: Engine;
	readonly workspace?: string;
	/** Only sessions that were used since; milliseconds since 1970. */
	readonly since?: number;
	/** Only the steps of chains; if omitted, they are excluded. */
	readonly steps?: boolean;
	/** Only archived sessions, or only others; `false` if omitted. */
	readonly archived?: boolean;
	/** Number of sessions to skip; 0 if omitted. */
	readonly offset?: number;
	readonly limit: number;
}

export type SessionSearch = SessionQuery & { readonly text: string };

export interface SessionPage {
	/** Used last, first. */
	readonly sessions: readonly SessionSummary[];
	readonly total: number;
}

/** A session in the bin, from which it goes for good 30 days after it was deleted. */
export interface DeletedSession extends SessionSummary {
	/** Milliseconds since 1970. */
	readonly deletedAt: number;
}

export interface SessionHit {
	readonly session: SessionSummary;
	readonly turn: number;
	readonly role: "question" | "answer";
	readonly excerpt: string;
	readonly score: number;
}

/** The journals of all sessions, and data derived from them. Every method rejects with a `Failure` that the user can act on. */
export interface Sessions extends SessionJournals {
	list(query: SessionQuery, signal: AbortSignal): Promise<SessionPage>;
	/** Full text and meaning, over questions and answers; best first. */
	search(query: SessionSearch, signal: AbortSignal): Promise<readonly SessionHit[]>;
	/** Makes a new session from the first turns of another; resolves to its id. */
	fork(id: string, turns: number, signal: AbortSignal): Promise<string>;
	/** Takes it out of every list and puts it in the bin; `restore` brings it back. */
	delete(id: string, signal: AbortSignal): Promise<void>;
	restore(id: string, signal: AbortSignal): Promise<void>;
	/** What is in the bin, deleted last first; without the steps of chains, which come back with their chain. */
	listDeleted(signal: AbortSignal): Promise<readonly DeletedSession[]>;
}

export interface SessionReader {
	read(id: string, signal: AbortSignal): Promise<Transcript>;
}

export interface SessionJournals extends SessionReader {
	/** Resolves when the lines are on the disk. The first line of a session is its `session` entry. */
	append(id: string, entries: readonly JournalEntry[], signal: AbortSignal): Promise<void>;
}
