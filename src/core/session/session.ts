import type { AgentEvent } from "../agent/agentEvent.ts";
import type { RulesByDoor } from "../permission/door.ts";
import type { Person } from "./person.ts";

/** What answers a session: a model of VS Code, or the Copilot CLI. */
export type Engine = "model" | "cli";

/** A conversation, as lists show it. Times are milliseconds since 1970. */
export interface SessionSummary {
	readonly id: string;
	readonly title: string;
	readonly engine: Engine;
	/** URI of the first folder of the window where it began; empty where there was none. */
	readonly workspace: string;
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly turns: number;
	/** Tokens that models read and wrote, as far as they were counted. */
	readonly tokens: number;
	readonly archived: boolean;
}

/** How a turn ended. One that has no outcome is at work, or its process died. */
export type Outcome = "done" | "roundLimit" | "cancelled" | "failed";

/** One line of a journal. Readers skip lines of kinds that they do not know. */
export type JournalEntry =
	| {
			readonly kind: "session";
			readonly at: number;
			readonly engine: Engine;
			readonly workspace: string;
			/** Written by whoever keeps the journal. A session that carries none belongs to everyone who reads the folder. */
			readonly person?: Person;
			/** The session that it goes on from, and how many turns of it were copied. */
			readonly forkOf?: { readonly session: string; readonly turns: number };
	  }
	| {
			readonly kind: "question";
			readonly at: number;
			/** From 0. */
			readonly turn: number;
			readonly text: string;
			readonly command?: string;
			/** Names of what was attached. */
			readonly attachments: readonly string[];
			/** What was hidden then. Who keeps the journals adds it. */
			readonly rules?: RulesByDoor;
	  }
	/** What a person saw of the turn; the words of the answer stand in `answer` only. */
	| { readonly kind: "event"; readonly at: number; readonly turn: number; readonly event: AgentEvent }
	| {
			readonly kind: "answer";
			readonly at: number;
			readonly turn: number;
			/** Markdown with citations in brackets; of a turn cut short, what there was. */
			readonly text: string;
			readonly outcome: Outcome;
			readonly inputTokens?: number;
			readonly outputTokens?: number;
			/** Of a turn that failed, in words for a person. */
			readonly error?: string;
			/** As of a question. */
			readonly rules?: RulesByDoor;
	  }
	/** What the person wants of every answer from now on; empty where they want nothing any more. */
	| { readonly kind: "instructions"; readonly at: number; readonly text: string }
	| { readonly kind: "titled"; readonly at: number; readonly title: string }
	| { readonly kind: "archived"; readonly at: number; readonly archived: boolean };

/** A session whole: every turn with what happened in it. */
export interface Transcript {
	readonly session: SessionSummary;
	readonly turns: readonly TranscriptTurn[];
	/** What the person wants of every answer of it. */
	readonly instructions?: string;
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
	readonly tokens: number;
}

export interface SessionQuery {
	readonly engine?: Engine;
	/** Only sessions of this workspace. */
	readonly workspace?: string;
	/** Only sessions that were used since; milliseconds since 1970. */
	readonly since?: number;
	/** Only archived ones, or only others; `false` where it is left out. */
	readonly archived?: boolean;
	/** Skips so many; 0 where it is left out. */
	readonly offset?: number;
	readonly limit: number;
}

export interface SessionPage {
	/** Used last, first. */
	readonly sessions: readonly SessionSummary[];
	readonly total: number;
}

/** What became of a session: without `before` it is new, without `after` it is gone. */
export interface SessionChange {
	readonly id: string;
	readonly before?: SessionSummary;
	readonly after?: SessionSummary;
}

/** A place in a session that answers a search. */
export interface SessionHit {
	readonly session: SessionSummary;
	readonly turn: number;
	readonly role: "question" | "answer";
	/** The words around the match. */
	readonly excerpt: string;
	readonly score: number;
}

/** The journals of all sessions, and what is made of them. Every method rejects with a `Failure` that a person can act on. */
export interface Sessions {
	/** Resolves when the lines are on the disk. The first line of a session is its `session` entry. */
	append(id: string, entries: readonly JournalEntry[], signal: AbortSignal): Promise<void>;
	list(query: SessionQuery, signal: AbortSignal): Promise<SessionPage>;
	read(id: string, signal: AbortSignal): Promise<Transcript>;
	/** Full text and meaning, over questions and answers; best first. */
	search(
		query: SessionQuery & { readonly text: string },
		signal: AbortSignal,
	): Promise<readonly SessionHit[]>;
	/** Makes a session of its own out of the first turns of another; resolves with its id. */
	fork(id: string, turns: number, signal: AbortSignal): Promise<string>;
	/** Takes it out of every list; `restore` brings it back. */
	delete(id: string, signal: AbortSignal): Promise<void>;
	restore(id: string, signal: AbortSignal): Promise<void>;
}
