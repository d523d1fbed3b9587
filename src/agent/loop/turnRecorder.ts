import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Span, SpanOutcome, TurnTrace } from "../../core/session/trace.ts";

type Facts = Record<string, number | string>;
type SpanName = Pick<Span, "kind" | "title">;

/** Whether a call was allowed, and by whom. */
export type CallDecision = Extract<AgentEvent, { readonly kind: "permission" }>;

/** Measures one turn while it runs. */
export interface TurnRecorder {
	/** Measures an action; it may add facts until it settles. */
	measure<Result>(
		name: SpanName,
		signal: AbortSignal,
		action: (facts: Facts) => Promise<Result>,
	): Promise<Result>;
	/** Begins a span whose end somebody else tells. */
	begin(name: SpanName): { readonly facts: Facts; end(outcome: SpanOutcome): void };
	/** Adds the decision on a call, which took so many milliseconds until now. */
	decided(decision: CallDecision, durationMs: number): void;
	/** The decisions that came since this was asked last. */
	takeDecisions(): CallDecision[];
	/** Whether such a span has begun and not ended. */
	isAt(kind: Span["kind"], title: string): boolean;
	/** Learns what the events of the turn tell of its spans. */
	note(event: AgentEvent): void;
	end(outcome: SpanOutcome): TurnTrace;
}

/** Milliseconds that never go back, and the time of day in milliseconds since 1970. */
export interface Clock {
	elapsed(): number;
	now(): number;
}

export function createTurnRecorder(question: string, clock: Clock): TurnRecorder {
	const startedAt = clock.now();
	const zero = clock.elapsed();
	const since = () => clock.elapsed() - zero;
	const spans: Span[] = [];
	const open = new Set<SpanName>();
	const decisions: CallDecision[] = [];
	const begin: TurnRecorder["begin"] = (name) => {
		const startMs = since();
		const facts: Facts = {};
		open.add(name);
		const end = (outcome: SpanOutcome) => {
			open.delete(name);
			spans.push({ ...name, startMs, durationMs: since() - startMs, outcome, facts });
		};
		return { facts, end };
	};
	return {
		begin,
		decided: (decision, durationMs) => {
			const { tool: title, effect, by } = decision;
			const startMs = Math.max(0, since() - durationMs);
			spans.push({ kind: "permission", title, startMs, durationMs, outcome: "done", facts: { effect, by } });
			decisions.push(decision);
		},
		takeDecisions: () => decisions.splice(0),
		isAt: (kind, title) => [...open].some((name) => name.kind === kind && name.title === title),
		measure: async (name, signal, action) => {
			const span = begin(name);
			let outcome: SpanOutcome = "failed";
			try {
				const result = await action(span.facts);
				outcome = "done";
				return result;
			} finally {
				span.end(signal.aborted ? "cancelled" : outcome);
			}
		},
		note: (event) => {
			const model = spans.findLastIndex(({ kind }) => kind === "model");
			const span = spans[model];
			if (event.kind !== "usage" || !span) return;
			const { inputTokens, outputTokens } = event;
			spans[model] = { ...span, facts: { ...span.facts, inputTokens, outputTokens } };
		},
		end: (outcome) => ({ startedAt, durationMs: since(), outcome, question, spans: [...spans] }),
	};
}
