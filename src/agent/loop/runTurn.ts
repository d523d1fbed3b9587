import { streamInTrace } from "../../base/traces/traceContext.ts";
import type { AgentEvent, AgentRequest, Runner } from "../../core/agent/agentEvent.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { AgentPorts } from "../ports.ts";
import type { TurnRecorder, TurnStart } from "./turnRecorder.ts";

type RunTool = AgentPorts["runTool"];

/** A turn that begins, which each middleware may change before the engine gets it. */
interface Turn {
	request: AgentRequest;
	readonly signal: AbortSignal;
	/** Measures what the engine does; absent if the turn is not traced. */
	recorder?: TurnRecorder;
	/** Wraps the calls of tools that the engine runs itself. */
	around(runTool: RunTool): RunTool;
	/** Shows an event, before the next one of the engine. */
	tell(event: AgentEvent): void;
}

/** What a middleware does after the turn has begun. */
interface TurnPart {
	/** Sees each event of the engine before it is shown. */
	note?(event: AgentEvent): unknown;
	/** Called at the end of every turn that began. */
	end?(outcome: SpanOutcome): void;
	/** Returns what answers instead of an engine that failed; `undefined` if it is not for this failure. */
	rescue?(thrown: unknown): Runner | undefined;
}

/** A concern of a turn besides its engine. Rejects to refuse the turn. */
export type Middleware = (turn: Turn) => TurnPart | Promise<TurnPart>;

/** Opens what answers the turn, after all middleware. */
export type Engine = (turn: Turn) => Runner | Promise<Runner>;

/** Answers turns with an engine. Middleware begins in its order, and notes events and ends in the opposite one. */
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

/** What answers instead; throws the failure again if nothing does. */
function rescuer(parts: readonly TurnPart[], thrown: unknown): Runner {
	const other = parts.map(({ rescue }) => rescue?.(thrown)).find((run) => run !== undefined);
	if (!other) throw thrown;
	return other;
}

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

export function tracedBy(title: string, observer: TurnObserver | undefined): Middleware[] {
	return observer ? [traced(title, observer)] : [];
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
