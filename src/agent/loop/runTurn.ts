import { streamInTrace } from "../../base/traces/traceContext.ts";
import type { AgentEvent, AgentRequest, Runner } from "../../core/agent/agentEvent.ts";
import type { SpanOutcome } from "../../core/session/trace.ts";
import type { AgentPorts } from "../ports.ts";
import type { TurnObserver, TurnRecorder } from "./turnTracer.ts";

type RunTool = AgentPorts["runTool"];

interface Turn {
	request: AgentRequest;
	readonly signal: AbortSignal;
	recorder?: TurnRecorder;
	around(runTool: RunTool): RunTool;
	/** Shows an event before the engine's next event. */
	tell(event: AgentEvent): void;
}

interface TurnPart {
	/** Called with each event of the engine before the event is shown. */
	note?(event: AgentEvent): unknown;
	end?(outcome: SpanOutcome): void;
	/** Returns a runner that replaces a failed engine; `undefined` for other failures. */
	rescue?(thrown: unknown): Runner | undefined;
}

/** Handles one concern of a turn besides its engine. Rejects to refuse the turn. */
export type Middleware = (turn: Turn) => TurnPart | Promise<TurnPart>;

export type Engine = (turn: Turn) => Runner | Promise<Runner>;

/** Answers turns with an engine. Middleware begins in order, and sees events and ends in reverse order. */
export function runTurn(engine: Engine, middleware: readonly Middleware[]): Runner {
	return async function* run(request, signal) {
		const told: AgentEvent[] = [];
		const tell = (event: AgentEvent) => void told.push(event);
		const turn: Turn = { request, signal, around: (runTool) => runTool, tell };
		const parts: TurnPart[] = [];
		let outcome: SpanOutcome = "failed";
		try {
			for (const begin of middleware) parts.unshift(await begin(turn));
			for await (const event of eventsOf(await engine(turn), turn)) {
				await noteIn(parts, event);
				yield* told.splice(0);
				yield event;
			}
			outcome = "done";
		} catch (thrown) {
			yield* told.splice(0);
			yield* rescuer(parts, thrown)(request, signal);
		} finally {
			endAll(parts, signal.aborted ? "cancelled" : outcome);
		}
	};
}

function eventsOf(run: Runner, { request, signal, recorder }: Turn): AsyncIterable<AgentEvent> {
	const open = () => run(request, signal);
	return recorder ? streamInTrace(recorder.context, open) : open();
}

async function noteIn(parts: readonly TurnPart[], event: AgentEvent): Promise<void> {
	for (const { note } of parts) await note?.(event);
}

function endAll(parts: readonly TurnPart[], outcome: SpanOutcome): void {
	for (const { end } of parts) end?.(outcome);
}

function rescuer(parts: readonly TurnPart[], thrown: unknown): Runner {
	const other = parts.map(({ rescue }) => rescue?.(thrown)).find((run) => run !== undefined);
	if (!other) throw thrown;
	return other;
}

/** Traces each turn. Shows decisions on calls before the results of the calls. */
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

export function tracedBy(title: string, observer: TurnObserver | undefined): Middleware[] {
	return observer ? [traced(title, observer)] : [];
}

/** Measures calls of an engine in another process by the engine's events. Must come after `traced`. */
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
