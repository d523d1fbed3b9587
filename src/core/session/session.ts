import type { AgentEvent } from "../agent/agentEvent.ts";
import type { StepOutcome } from "../agent/chain.ts";
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
	/** Of a step: the chain that it ran in. */
	readonly partOf?: PartOf;
}

/** A session that is a step of a chain goes where its chain goes, and is shown under it. */
export interface PartOf {
	/** Of the chain. */
	readonly session: string;
	readonly step: string;
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
			readonly partOf?: PartOf;
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
	/** Of a chain: each try of each step, in the order in which they began. Their events carry the ids of the steps. */
	readonly runs?: readonly StepRun[];
}

/** A step that was at work, or is. Times are milliseconds since 1970. */
export interface StepRun {
	readonly step: string;
	readonly agent: string;
	/** Of the session that the step is; absent where it has none. */
	readonly session?: string;
	/** From 1. */
	readonly attempt: number;
	readonly startedAt: number;
	/** The last that it gave a sign of life. */
	readonly heardAt: number;
	readonly tokens: number;
	/** The tool that it waits for. */
	readonly tool?: string;
	/** Absent while it is at work, and where its process died. */
	readonly ended?: { readonly at: number; readonly outcome: StepOutcome; readonly text: string };
}

export interface SessionQuery {
	readonly engine?: Engine;
	/** Only sessions of this workspace. */
	readonly workspace?: string;
	/** Only sessions that were used since; milliseconds since 1970. */
	readonly since?: number;
	/** Only the steps of a chain, or, where it is empty, of any. Where it is left out, steps are left out. */
	readonly stepsOf?: string;
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
