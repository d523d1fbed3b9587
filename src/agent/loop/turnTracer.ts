import type { InnerSpan } from "../../base/traces/recorder.ts";
import { currentTrace, inTrace } from "../../base/traces/traceContext.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { TurnObserver } from "./runTurn.ts";
import {
	type CallDecision,
	type Clock,
	createTurnRecorder,
	doneInTrace,
	type OpenSpan,
	type TurnRecorder,
	type TurnStart,
} from "./turnRecorder.ts";

/** Measures turns, and calls of our tools wherever they come from. */
export interface TurnTracer extends TurnObserver {
	run<Result>(
		start: TurnStart,
		signal: AbortSignal,
		action: (recorder: TurnRecorder) => Promise<Result>,
	): Promise<Result>;
	/** A call belongs to the turn that makes it; outside of a turn, it gets a trace of its own. */
	call<Result extends { readonly text: string }>(
		call: TracedCall,
		signal: AbortSignal,
		action: () => Promise<Result>,
	): Promise<Result>;
	inner(spans: readonly InnerSpan[]): void;
	/** Records a decision on the current call, which took this long. */
	decided(decision: CallDecision, durationMs: number): void;
}

interface TracedCall {
	/** The caller's name for the tool. */
	readonly title: string;
	/** The calling session, if known. */
	readonly session?: string | undefined;
	readonly input: unknown;
}

export interface TracerDeps {
	readonly clock: Clock;
	keepsTexts(): boolean;
	onEnd(trace: TurnTrace): void;
}

export function createTurnTracer({ clock, keepsTexts, onEnd }: TracerDeps): TurnTracer {
	const running = new Set<TurnRecorder>();
	const begin: TurnTracer["begin"] = (start) => {
		const recorder = createTurnRecorder({ ...start, keepsTexts: keepsTexts() }, clock);
		running.add(recorder);
		return recorder;
	};
	const ended: TurnTracer["ended"] = (recorder, trace) => {
		running.delete(recorder);
		onEnd(trace);
	};
	const run: TurnTracer["run"] = async (start, signal, action) => {
		const recorder = begin(start);
		const end = (outcome: SpanOutcome) => ended(recorder, recorder.end(outcome));
		return doneInTrace(recorder.context, { signal, end }, () => action(recorder));
	};
	return {
		begin,
		ended,
		run,
		call: ({ title, session, input }, signal, action) => {
			const turns = [...running].filter((turn) => !session || !turn.session || turn.session === session);
			const made = turns.map((turn) => turn.spanAt("tool", title)).find((span) => span !== undefined);
			// Whoever makes the call measures it already.
			if (made) return inTrace(made, action);
			const telling = async ({ tell }: Pick<OpenSpan, "tell">) => {
				tell(() => ({ input: JSON.stringify(input) }));
				const result = await action();
				tell(() => ({ output: result.text }));
				return result;
			};
			const turn = turns.find((each) => session !== undefined && each.session === session);
			if (turn) return turn.measure({ kind: "tool", title }, signal, telling);
			return run({ kind: "tool", title, question: "", session }, signal, telling);
		},
		inner: (spans) => {
			for (const span of spans)
				[...running].find(({ context }) => context.traceId === span.traceId)?.addInner(span);
		},
		decided: (decision, durationMs) => {
			const here = currentTrace();
			const turn = here && [...running].find((recorder) => recorder.holds(here));
			turn?.decided(decision, durationMs);
		},
	};
}
