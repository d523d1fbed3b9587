import * as z from "zod/mini";
import type { AgentEvent } from "../agent/agentEvent.ts";
import type { StepOutcome } from "../agent/chain.ts";
import {
	type CitedSpan,
	ENGINES,
	type Engine,
	type JournalEntry,
	type Outcome,
	partOf,
	type SentMessage,
} from "./journalEntry.ts";

/** A conversation as shown in lists. Times are milliseconds since 1970. */
export const sessionSummary = z.object({
	id: z.string(),
	title: z.string(),
	engine: z.enum(ENGINES),
	/** URI of the first folder of the window that started the session; empty if no folder was open. */
	workspace: z.string(),
	createdAt: z.number(),
	updatedAt: z.number(),
	turns: z.number(),
	/** Tokens that models read and wrote, if they were counted. */
	tokens: z.number(),
	archived: z.boolean(),
	partOf: z.exactOptional(partOf),
});

export type SessionSummary = Readonly<z.infer<typeof sessionSummary>>;

export interface Transcript {
	readonly session: SessionSummary;
	readonly turns: readonly TranscriptTurn[];
	readonly instructions?: string;
	readonly summary?: KeptSummary;
}

export interface KeptSummary {
	/** Number of turns that the summary covers, counted from the first turn. */
	readonly turns: number;
	readonly text: string;
	/** Digest of the covered turns' text: the summary is invalid for any other text. */
	readonly of: string;
}

export interface TranscriptTurn {
	readonly turn: number;
	readonly at: number;
	readonly question: string;
	readonly command?: string;
	readonly attachments: readonly string[];
	/** Events in order, without the text of the answer. */
	readonly events: readonly AgentEvent[];
	readonly answer: string;
	readonly outcome?: Outcome;
	readonly error?: string;
	/** Fingerprints of the cited lines when the answer was written. */
	readonly spans?: readonly CitedSpan[];
	readonly tokens: number;
	/** The turn's messages: its question, calls, replies and answer; absent for older turns. */
	readonly messages?: readonly SentMessage[];
	/** Each attempt of each chain step, in order of their start. The events of an attempt carry the step's id. */
	readonly runs?: readonly StepRun[];
}

/** A current or past run of a step. Times are milliseconds since 1970. */
export interface StepRun {
	readonly step: string;
	readonly agent: string;
	readonly session?: string;
	/** Counted from 1. */
	readonly attempt: number;
	readonly startedAt: number;
	/** Time of the latest event. */
	readonly heardAt: number;
	readonly tokens: number;
	readonly tool?: string;
	/** Absent while the step is running, or if the step's process died. */
	readonly ended?: { readonly at: number; readonly outcome: StepOutcome; readonly text: string };
}

export interface SessionQuery {
	readonly engine?: Engine;
	readonly workspace?: string;
	/** Only sessions used since this time, in milliseconds since 1970. */
	readonly since?: number;
	/** Whether to list the sessions of chain steps instead of all others; defaults to `false`. */
	readonly steps?: boolean;
	/** Whether to list archived sessions instead of all other sessions; defaults to `false`. */
	readonly archived?: boolean;
	readonly offset?: number;
	readonly limit: number;
}

export type SessionSearch = SessionQuery & { readonly text: string };

export interface SessionPage {
	/** Most recently used first. */
	readonly sessions: readonly SessionSummary[];
	readonly total: number;
}

/** A session in the trash. It is deleted permanently after 30 days. */
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

/** Journals of all sessions, and data derived from them. Methods reject with a `Failure` that the user can act on. */
export interface Sessions extends SessionJournals {
	list(query: SessionQuery, signal: AbortSignal): Promise<SessionPage>;
	/** Searches questions and answers by words and meaning; best first. */
	search(query: SessionSearch, signal: AbortSignal): Promise<readonly SessionHit[]>;
	/** Creates a session from the first turns of another; resolves to its id. */
	fork(id: string, turns: number, signal: AbortSignal): Promise<string>;
	/** Removes the session from all lists and moves it to the trash; `restore` undoes this. */
	delete(id: string, signal: AbortSignal): Promise<void>;
	restore(id: string, signal: AbortSignal): Promise<void>;
	/** Sessions in the trash, last deleted first. Excludes chain steps, which are restored with their chain. */
	listDeleted(signal: AbortSignal): Promise<readonly DeletedSession[]>;
}

export interface SessionReader {
	read(id: string, signal: AbortSignal): Promise<Transcript>;
}

export interface SessionJournals extends SessionReader {
	/** Resolves when the lines are on disk. The first line of a session is its `session` entry. */
	append(id: string, entries: readonly JournalEntry[], signal: AbortSignal): Promise<void>;
}
