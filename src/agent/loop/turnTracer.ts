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
	systemClock,
	type TurnRecorder,
	type TurnStart,
} from "./turnRecorder.ts";

export type TurnTracer = ReturnType<typeof createTurnTracer>;

interface TracedCall {
	/** Name of the tool as the caller knows it. */
	readonly title: string;
	readonly session?: string | undefined;
	readonly input: unknown;
}

export interface TracerDeps {
	readonly clock?: Clock;
	keepsTexts(): boolean;
	onEnd(trace: TurnTrace): void;
}

export function createTurnTracer({ clock = systemClock, keepsTexts, onEnd }: TracerDeps) {
	const running = new Set<TurnRecorder>();
	const begin: TurnObserver["begin"] = (start) => {
		const recorder = createTurnRecorder({ ...start, keepsTexts: keepsTexts() }, clock);
		running.add(recorder);
		return recorder;
	};
	const ended: TurnObserver["ended"] = (recorder, trace) => {
		running.delete(recorder);
		onEnd(trace);
	};
	const run = async <Result>(
		start: TurnStart,
		signal: AbortSignal,
		action: (recorder: TurnRecorder) => Promise<Result>,
	) => {
		const recorder = begin(start);
		const end = (outcome: SpanOutcome) => ended(recorder, recorder.end(outcome));
		return doneInTrace(recorder.context, { signal, end }, () => action(recorder));
	};
	return {
		begin,
		ended,
		run,
		/** Records a call in the turn that makes the call, or else in a trace of its own. */
		call: <Result extends { readonly text: string }>(
			{ title, session, input }: TracedCall,
			signal: AbortSignal,
			action: () => Promise<Result>,
		): Promise<Result> => {
			const turns = [...running].filter((turn) => !session || !turn.session || turn.session === session);
			const made = turns.map((turn) => turn.spanAt("tool", title)).find((span) => span !== undefined);
			if (made) return inTrace(made, action);
			const told = telling(input, action);
			const turn = turns.find((each) => session !== undefined && each.session === session);
			if (turn) return turn.measure({ kind: "tool", title }, signal, told);
			return run({ kind: "tool", title, question: "", session }, signal, told);
		},
		inner: (spans: readonly InnerSpan[]) => {
			for (const span of spans)
				[...running].find(({ context }) => context.traceId === span.traceId)?.addInner(span);
		},
		decided: (decision: CallDecision, durationMs: number) => {
			const here = currentTrace();
			const turn = here && [...running].find((recorder) => recorder.holds(here));
			turn?.decided(decision, durationMs);
		},
	};
}

function telling<Result extends { readonly text: string }>(input: unknown, action: () => Promise<Result>) {
	return async ({ tell }: { readonly tell: OpenSpan["tell"] }) => {
		tell(() => ({ input: JSON.stringify(input) }));
		const result = await action();
		tell(() => ({ output: result.text }));
		return result;
	};
}
