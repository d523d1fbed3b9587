export interface TurnSubject {
	readonly kind: "agent" | "tool";
	/** Which engine or tool. */
	readonly title: string;
	/** Whom the engine was: the name of an agent that a file describes. */
	readonly agent?: string;
	/** Empty if no question was asked. */
	readonly question: string;
}

/** Timings of a turn, or of a tool call outside of one. All times are milliseconds. */
export interface TurnTrace extends TurnSubject, SpanIds {
	/** 32 hexadecimal digits, as W3C Trace Context has them. */
	readonly traceId: string;
	readonly session?: string;
	/** Since 1970. */
	readonly startedAt: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	/** In the order in which they ended; they may overlap. */
	readonly spans: readonly Span[];
	readonly texts?: SpanTexts;
}

export interface SpanBody {
	readonly kind: "retrieval" | "memory" | "model" | "tool" | "permission" | "worker";
	/** Which tool, or what was looked for. */
	readonly title: string;
	/** Since the turn began. */
	readonly startMs: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	/** What was measured besides, for example tokens. */
	readonly facts: Readonly<Record<string, number | string>>;
	readonly texts?: SpanTexts;
}

export interface Span extends SpanBody, SpanIds {}

/** Title of a span of memory in which something is remembered; the others look for something. */
export const REMEMBER = "remember";

interface SpanIds {
	/** 16 hexadecimal digits. */
	readonly spanId: string;
	/** The span that it happened in; it may be another program's. */
	readonly parentId?: string;
}

/** Input and output, shortened; kept only if the user wants contents in traces. */
export interface SpanTexts {
	readonly input?: string;
	readonly output?: string;
}

export type SpanOutcome = "done" | "failed" | "cancelled";
