import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { Middleware } from "./runTurn.ts";
import type { TurnRecorder, TurnStart } from "./turnRecorder.ts";

export interface TurnObserver {
	begin(start: TurnStart): TurnRecorder;
	ended(recorder: TurnRecorder, trace: TurnTrace): void;
}

/** Traces each turn, and shows the decisions on its calls before what came of them. */
export function traced(title: string, observer: TurnObserver): Middleware {
	return (turn) => {
		const { question, session, agent } = turn.request;
		const named = agent && { agent: agent.name };
		const recorder = observer.begin({ kind: "agent", title, question, session, ...named });
		turn.recorder = recorder;
		return {
			note: (event) => {
				recorder.note(event);
				recorder.takeDecisions().forEach(turn.tell);
			},
			end: (outcome) => observer.ended(recorder, recorder.end(outcome)),
		};
	};
}

/** Measures the calls of an engine that runs elsewhere, by its events. Follows `traced`. */
export const measuredCalls: Middleware = ({ recorder }) => {
	const open = new Map<string, ReturnType<TurnRecorder["begin"]>>();
	return {
		note: (event: AgentEvent) => {
			if (event.kind === "toolStarted") {
				const span = recorder?.begin({ kind: "tool", title: event.call.name });
				span?.tell(() => ({ input: JSON.stringify(event.call.input) }));
				if (span) open.set(event.call.id, span);
			}
			if (event.kind !== "toolFinished") return;
			const span = open.get(event.call.id);
			span?.tell(() => ({ output: event.text }));
			span?.end(event.ok ? "done" : "failed");
			open.delete(event.call.id);
		},
		end: (outcome: SpanOutcome) => {
			for (const span of open.values()) span.end(outcome === "done" ? "failed" : outcome);
		},
	};
};
