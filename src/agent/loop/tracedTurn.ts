import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { TurnRecorder } from "./turnRecorder.ts";

/** Follows turns of an engine. */
export interface TurnObserver {
	begin(question: string): TurnRecorder;
	ended(recorder: TurnRecorder, trace: TurnTrace): void;
}

/** An engine with a trace of each of its turns; it is made anew for each one, so that it can measure what it does. */
export function traced(engine: (recorder: TurnRecorder) => Runner, observer: TurnObserver): Runner {
	return async function* runTurn(request, signal) {
		const recorder = observer.begin(request.question);
		let outcome: SpanOutcome = "failed";
		try {
			for await (const event of engine(recorder)(request, signal)) {
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
			if (event.kind === "toolStarted")
				open.set(event.call.id, recorder.begin({ kind: "tool", title: event.call.name }));
			if (event.kind !== "toolFinished") return;
			open.get(event.call.id)?.end(event.ok ? "done" : "failed");
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
