/** Where the time of a turn went. All times are milliseconds. */
export interface TurnTrace {
	/** Since 1970. */
	readonly startedAt: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	readonly question: string;
	/** In the order in which they ended; they may overlap. */
	readonly spans: readonly Span[];
}

export interface Span {
	readonly kind: "retrieval" | "memory" | "model" | "tool" | "permission";
	/** Which tool, or what was looked for. */
	readonly title: string;
	/** Since the turn began. */
	readonly startMs: number;
	readonly durationMs: number;
	readonly outcome: SpanOutcome;
	/** What was measured besides, for example tokens. */
	readonly facts: Readonly<Record<string, number | string>>;
}

export type SpanOutcome = "done" | "failed" | "cancelled";
