import type { Runner } from "../../core/agent/agentEvent.ts";
import type { ModelPart } from "../../core/agent/message.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { SpanOutcome } from "../../core/session/trace.ts";
import { createGraphAgent, type GraphAgentPorts } from "../graph/graphAgent.ts";
import type { AgentPorts, Model } from "../ports.ts";
import { createAgent } from "./agentLoop.ts";
import { type TurnObserver, traced } from "./tracedTurn.ts";
import type { TurnRecorder } from "./turnRecorder.ts";

/** The agent loop, with a trace of each of its turns and the decisions on its calls among its events. */
export function createTracedAgent(ports: AgentPorts, observer: TurnObserver): Runner {
	return traced((recorder) => createAgent(tracedPorts(ports, recorder)), observer);
}

/** `/graph`, with a trace of its requests to the model and its queries. */
export function createTracedGraphAgent(ports: GraphAgentPorts, observer: TurnObserver): Runner {
	return traced((recorder) => {
		const query: KnowledgeGraph["query"] = (asked, signal) =>
			recorder.measure({ kind: "retrieval", title: "SPARQL" }, signal, async (facts) => {
				const result = await ports.graph.query(asked, signal);
				facts["sources"] = result.sources.length;
				return result;
			});
		return createGraphAgent({
			...ports,
			graph: { ...ports.graph, query },
			model: tracedModel(ports.model, recorder),
		});
	}, observer);
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
