import { streamInTrace } from "../../base/traces/traceContext.ts";
import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { TurnRecorder, TurnStart } from "./turnRecorder.ts";

export interface TurnObserver {
	begin(start: TurnStart): TurnRecorder;
	ended(recorder: TurnRecorder, trace: TurnTrace): void;
}

/** An engine with a trace of each of its turns; it is made anew for each one, so that it can measure what it does. */
export function traced(
	title: string,
	engine: (recorder: TurnRecorder) => Runner,
	observer: TurnObserver,
): Runner {
	return async function* runTurn(request, signal) {
		const { question, session, agent } = request;
		const named = agent && { agent: agent.name };
		const recorder = observer.begin({ kind: "agent", title, question, session, ...named });
		let outcome: SpanOutcome = "failed";
		try {
			for await (const event of streamInTrace(recorder.context, () => engine(recorder)(request, signal))) {
				recorder.note(event);
				// A decision is told before what came of it.
				yield* recorder.takeDecisions();
				yield event;
			}
			outcome = "done";
		} finally {
			observer.ended(recorder, recorder.end(signal.aborted ? "cancelled" : outcome));
		}
	};
}

/** An engine that runs elsewhere: its calls are measured by what it tells of them. */
export function withCalls(run: Runner, recorder: TurnRecorder): Runner {
	return async function* runTurn(request, signal) {
		const open = new Map<string, ReturnType<TurnRecorder["begin"]>>();
		const follow = (event: AgentEvent) => {
			if (event.kind === "toolStarted") {
				const span = recorder.begin({ kind: "tool", title: event.call.name });
				span.tell(() => ({ input: JSON.stringify(event.call.input) }));
				open.set(event.call.id, span);
			}
			if (event.kind !== "toolFinished") return;
			const span = open.get(event.call.id);
			span?.tell(() => ({ output: event.text }));
			span?.end(event.ok ? "done" : "failed");
			open.delete(event.call.id);
		};
		try {
			for await (const event of run(request, signal)) {
				follow(event);
				yield event;
			}
		} finally {
			for (const span of open.values()) span.end(signal.aborted ? "cancelled" : "failed");
		}
	};
}
