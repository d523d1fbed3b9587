export interface TurnSubject {
	readonly kind: "agent" | "tool";
	readonly title: string;
	/** Name of the agent file whose role the engine took. */
	readonly agent?: string;
	/** Empty if there was no question. */
	readonly question: string;
}

/** Timings in milliseconds of a turn, or of a tool call outside of turns. */
export interface TurnTrace extends TurnSubject, SpanIds {
	/** 32 hexadecimal digits, as in W3C Trace Context. */
	readonly traceId: string;
	readonly session?: string;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	/** In order of their end; spans may overlap. */
	readonly spans: readonly Span[];
	readonly texts?: SpanTexts;
}

export interface Span extends SpanIds {
	readonly kind: "retrieval" | "memory" | "model" | "tool" | "permission" | "worker";
	/** Name of the tool, or the search text. */
	readonly title: string;
	/** Milliseconds since the start of the turn. */
	readonly startMs: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	readonly facts: Readonly<Record<string, number | string>>;
	readonly texts?: SpanTexts;
}

/** Title of memory spans that save a fact; all other memory spans are searches. */
export const REMEMBER = "remember";

interface SpanIds {
	/** 16 hexadecimal digits. */
	readonly spanId: string;
	/** Id of the enclosing span, which may belong to another program. */
	readonly parentId?: string;
}

/** Input and output, shortened; recorded only if the user enables contents in traces. */
export interface SpanTexts {
	readonly input?: string;
	readonly output?: string;
}

export type SpanOutcome = "done" | "failed" | "cancelled";
