import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { streamInTrace } from "../../base/traces/traceContext.ts";
import { fieldOf } from "../../base/values.ts";
import type { Message, ModelPart, Runner } from "../../core/agent/agentEvent.ts";
import type { Tool, ToolContext, TurnHooks } from "../../core/agent/tool.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Channel } from "../../core/permission/permission.ts";
import type { SpanOutcome } from "../../core/session/trace.ts";
import { createGraphAgent, type GraphAgentPorts } from "../graph/graphAgent.ts";
import type { AgentPorts, Model } from "../ports.ts";
import { createAgent } from "./agentLoop.ts";
import { hooked } from "./middleware.ts";
import { type Engine, runTurn, tracedBy } from "./runTurn.ts";
import { measuredSearch } from "./search.ts";
import type { OpenSpan, TurnObserver, TurnRecorder } from "./turnTracer.ts";

export function agentEngine(ports: AgentPorts): Engine {
	return ({ around, recorder }) => {
		const own = { ...ports, runTool: around(ports.runTool) };
		return createAgent(recorder ? measuredPorts(own, recorder) : own);
	};
}

export function graphEngine(ports: GraphAgentPorts): Engine {
	return ({ recorder }) => {
		if (!recorder) return createGraphAgent(ports);
		const query: KnowledgeGraph["query"] = (asked, signal) =>
			recorder.measure({ kind: "retrieval", title: "SPARQL" }, signal, async ({ facts, tell }) => {
				tell(() => ({ input: asked.sparql }));
				const result = await ports.graph.query(asked, signal);
				facts["sources"] = result.sources.length;
				return result;
			});
		const graph = { ...ports.graph, query };
		return createGraphAgent({ ...ports, graph, model: tracedModel(ports.model, recorder) });
	};
}

function measuredPorts(ports: AgentPorts, recorder: TurnRecorder): AgentPorts {
	const { recall } = ports;
	return {
		...ports,
		model: tracedModel(ports.model, recorder),
		search: measuredSearch(ports.search, recorder),
		runTool: (call, signal) =>
			recorder.measure({ kind: "tool", title: call.name }, signal, async ({ facts, tell }) => {
				facts["callId"] = call.id;
				tell(() => ({ input: JSON.stringify(call.input) }));
				const text = await ports.runTool(call, signal);
				facts["characters"] = text.length;
				tell(() => ({ output: text }));
				return text;
			}),
		...(recall && {
			recall: (request, signal) =>
				recorder.measure({ kind: "memory", title: request.question }, signal, async ({ facts, tell }) => {
					tell(() => ({ input: request.question }));
					const found = await recall(request, signal);
					facts["records"] = found.length;
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
			Object.assign(span.facts, model.named);
			const withoutImages = (name: string, value: unknown) => (name === "images" ? undefined : value);
			span.tell(() => ({ input: JSON.stringify(messages, withoutImages) }));
			const asked = () => model.respond(messages, tools, signal);
			const answer = watchAnswer(span, messages);
			let outcome: SpanOutcome = "failed";
			try {
				for await (const part of streamInTrace(span.context, asked)) {
					answer.note(part);
					yield part;
				}
				outcome = "done";
				answer.end();
			} catch (thrown) {
				Object.assign(span.facts, errorOf(thrown));
				throw thrown;
			} finally {
				span.end(signal.aborted ? "cancelled" : outcome);
			}
		},
	};
}

/** Returns the failure's kind or code if that is an identifier, because messages could contain private data. */
function errorOf(thrown: unknown): { error?: string } {
	const kind = fieldOf(thrown, "kind") ?? fieldOf(thrown, "code");
	return typeof kind === "string" && /^[A-Za-z_]{1,40}$/.test(kind) ? { error: kind } : {};
}

/** Measures an answer for its span. Tokens are estimated until the server or engine reports their number. */
function watchAnswer({ facts }: OpenSpan, messages: readonly Message[]) {
	const started = performance.now();
	const tokens = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);
	let written = 0;
	return {
		note: (part: ModelPart) => {
			facts["firstPartMs"] ??= Math.round(performance.now() - started);
			if (part.kind === "finished") facts["finishReason"] = part.reason;
			if (part.kind === "text") written += part.text.length;
			if (part.kind !== "usage") return;
			facts["inputTokens"] = part.inputTokens;
			facts["outputTokens"] = part.outputTokens;
		},
		end: () => {
			if (facts["inputTokens"] !== undefined) return;
			const read = messages.reduce((sum, { text }) => sum + text.length, 0);
			Object.assign(facts, { inputTokens: tokens(read), outputTokens: tokens(written), isEstimate: 1 });
		},
	};
}

export interface ChannelCall {
	readonly knowledge: Knowledge;
	readonly channel: Channel;
	readonly tools: readonly Tool[];
	readonly context: ToolContext;
}

export interface ChannelParts extends ChannelCall {
	readonly model: Model;
	readonly folderNames: readonly string[];
	readonly hooks: TurnHooks;
	readonly maxRounds: number;
	readonly traces?: TurnObserver | undefined;
}

/** Agent loop for callers other than our chat. Searches once, after which the model answers or calls tools. */
export function createChannelRunner({
	knowledge,
	channel,
	tools,
	hooks,
	context,
	...parts
}: ChannelParts): Runner {
	const runTool: AgentPorts["runTool"] = async (call, signal) => {
		const tool = tools.find(({ name }) => name === call.name);
		if (!tool) throw new Error(`there is no tool ${call.name} here. Go on without it.`);
		return (await tool.run(call.input, { ...context, signal })).text;
	};
	const engine = agentEngine({
		...parts,
		tools,
		runTool,
		search: (query, signal) => knowledge.search({ ...query, channel }, signal),
		maxRounds: tools.length === 0 ? 1 : parts.maxRounds,
	});
	return runTurn(engine, [hooked(hooks), ...tracedBy("chat", parts.traces)]);
}
