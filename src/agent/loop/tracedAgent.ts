import type { Runner } from "../../core/agent/agentEvent.ts";
import type { ModelPart } from "../../core/agent/message.ts";
import type { SpanOutcome, TurnTrace } from "../../core/session/trace.ts";
import type { AgentPorts, Model } from "../ports.ts";
import { createAgent } from "./agentLoop.ts";
import type { TurnRecorder } from "./turnRecorder.ts";

/** Follows turns of the agent. */
export interface TurnObserver {
	begin(question: string): TurnRecorder;
	ended(recorder: TurnRecorder, trace: TurnTrace): void;
}

/** The agent loop, with a trace of each of its turns and the decisions on its calls among its events. */
export function createTracedAgent(ports: AgentPorts, observer: TurnObserver): Runner {
	return async function* runTurn(request, signal) {
		const recorder = observer.begin(request.question);
		const run = createAgent(tracedPorts(ports, recorder));
		let outcome: SpanOutcome = "failed";
		try {
			for await (const event of run(request, signal)) {
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

function tracedPorts(ports: AgentPorts, recorder: TurnRecorder): AgentPorts {
	const { recall } = ports;
	return {
		...ports,
		model: tracedModel(ports.model, recorder),
		search: (query, signal) =>
			recorder.measure({ kind: "retrieval", title: query.query }, signal, async (facts) => {
				const found = await ports.search(query, signal);
				facts["hits"] = found.hits.length;
				facts["matches"] = found.total;
				return found;
			}),
		runTool: (call, signal) =>
			recorder.measure({ kind: "tool", title: call.name }, signal, async (facts) => {
				const text = await ports.runTool(call, signal);
				facts["characters"] = text.length;
				return text;
			}),
		...(recall && {
			recall: (request, signal) =>
				recorder.measure({ kind: "memory", title: request.question }, signal, async (facts) => {
					const found = await recall(request, signal);
					facts["recollections"] = found.length;
					return found;
				}),
		}),
	};
}

function tracedModel(model: Model, recorder: TurnRecorder): Model {
	return {
		...model,
		respond: async function* (messages, tools, signal): AsyncGenerator<ModelPart> {
			const span = recorder.begin({ kind: "model", title: `${messages.length} messages` });
			let outcome: SpanOutcome = "failed";
			const started = performance.now();
			try {
				for await (const part of model.respond(messages, tools, signal)) {
					span.facts["firstPartMs"] ??= Math.round(performance.now() - started);
					yield part;
				}
				outcome = "done";
			} finally {
				span.end(signal.aborted ? "cancelled" : outcome);
			}
		},
	};
}
