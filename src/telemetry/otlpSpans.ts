import { type Attributes, type HrTime, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { redactAll } from "../base/text/redact.ts";
import { parseJson } from "../base/values.ts";
import { REMEMBER, type Span, type TurnTrace } from "../core/session/trace.ts";

export interface SpanChoice {
	/** Whether to include questions, answers, prompts, and the inputs and outputs of tools. */
	readonly contents: boolean;
	redact(text: string): string;
}

export interface Sender {
	readonly resource: Resource;
	readonly version: string;
}

export function senderOf(version: string): Sender {
	const resource = resourceFromAttributes({ "service.name": NAME, "service.version": version });
	return { resource, version };
}

export const NAME = "copilot-ld";

/** Converts a trace to spans in OpenTelemetry's conventions for generative AI. The turn's span comes last. */
export function toSpans(trace: TurnTrace, sender: Sender, choice: SpanChoice): ReadableSpan[] {
	const root: Span = { ...trace, kind: "tool", startMs: 0, facts: {} };
	const words = trace.kind === "agent" ? ofAgent(trace) : ofTool(root, trace.session);
	const all = [...trace.spans.map((span) => [span, WORDS[span.kind](span)] as const), [root, words] as const];
	return all.map(([span, words]) => finished(trace, span, words, { ...sender, ...choice }));
}

/** A span in OpenTelemetry's terms. Attributes whose value is `undefined` are not sent. */
interface Worded {
	readonly name: string;
	readonly kind?: SpanKind;
	readonly attributes: Attributes;
	readonly contents?: Attributes;
}

function ofAgent({ title, agent = NAME, session, question, spans, texts }: TurnTrace): Worded {
	const sum = (fact: string) => spans.reduce((all, { facts }) => all + Number(facts[fact] ?? 0), 0);
	return {
		name: `invoke_agent ${agent}`,
		attributes: {
			"gen_ai.operation.name": "invoke_agent",
			"gen_ai.agent.name": agent,
			"gen_ai.usage.input_tokens": sum("inputTokens"),
			"gen_ai.usage.output_tokens": sum("outputTokens"),
			"copilot_ld.engine": title,
			"gen_ai.conversation.id": session,
		},
		contents: {
			"gen_ai.input.messages": message("user", question),
			"gen_ai.output.messages": texts?.output === undefined ? undefined : message("assistant", texts.output),
		},
	};
}

function message(role: string, content: string): string {
	return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

function ofTool({ title, texts, facts }: Span, session?: string): Worded {
	return {
		name: `execute_tool ${title}`,
		attributes: {
			"gen_ai.operation.name": "execute_tool",
			"gen_ai.tool.name": title,
			"gen_ai.tool.type": "function",
			"gen_ai.tool.call.id": facts["callId"],
			"gen_ai.conversation.id": session,
		},
		contents: { "gen_ai.tool.call.arguments": texts?.input, "gen_ai.tool.call.result": texts?.output },
	};
}

/** The worker's title for the embedding of a question. */
const EMBED = "embed the query";

const WORDS: Readonly<Record<Span["kind"], (span: Span) => Worded>> = {
	tool: (span) => ofTool(span),
	model: ({ facts, texts }) => ({
		name: `chat ${facts["model"] ?? "model"}`,
		kind: SpanKind.CLIENT,
		attributes: {
			...requested(facts),
			"gen_ai.usage.input_tokens": facts["inputTokens"],
			"gen_ai.usage.output_tokens": facts["outputTokens"],
			"gen_ai.response.finish_reasons": "finishReason" in facts ? [String(facts["finishReason"])] : undefined,
			"copilot_ld.usage.is_estimate": facts["isEstimate"] === 1 || undefined,
			"gen_ai.response.time_to_first_chunk":
				typeof facts["firstPartMs"] === "number" ? facts["firstPartMs"] / 1000 : undefined,
		},
		contents: { "gen_ai.input.messages": texts?.input, "gen_ai.output.messages": texts?.output },
	}),
	retrieval: ({ facts, texts }) => ({
		name: "retrieval",
		attributes: { "gen_ai.operation.name": "retrieval", ...own(facts) },
		contents: { "gen_ai.retrieval.query.text": texts?.input, "gen_ai.retrieval.documents": texts?.output },
	}),
	memory: ({ title, facts, texts }) => {
		const name = title === REMEMBER ? "create_memory" : "search_memory";
		return {
			name,
			attributes: { "gen_ai.operation.name": name, "gen_ai.memory.record.count": facts["records"] },
			contents: { "gen_ai.memory.query.text": texts?.input, "gen_ai.memory.records": texts?.output },
		};
	},
	worker: ({ title, facts }) => ({
		name: title,
		attributes: { "gen_ai.operation.name": title === EMBED ? "embeddings" : undefined, ...own(facts) },
	}),
	permission: ({ title, facts }) => ({
		name: `permission ${title}`,
		attributes: { "gen_ai.tool.name": title, ...own(facts) },
	}),
};

function requested({ model, provider, address, port }: Span["facts"]): Attributes {
	return {
		"gen_ai.operation.name": "chat",
		"gen_ai.request.model": model,
		"gen_ai.provider.name": provider,
		"server.address": address,
		"server.port": port,
	};
}

export function modelAttributes(span: Span, { redact }: SpanChoice): Attributes {
	return redacted({ ...requested(span.facts), ...errorOf(span) }, redact);
}

function errorOf({ outcome, facts }: Span): Attributes {
	return outcome === "failed" ? { "error.type": facts["error"] ?? "_OTHER" } : {};
}

/** Attributes with our own prefix, for facts that the conventions have no name for. */
function own(facts: Span["facts"]): Attributes {
	return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`copilot_ld.${name}`, value]));
}

const NOTHING_DROPPED = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 };

function finished(
	trace: TurnTrace,
	span: Span,
	worded: Worded,
	{ resource, version, contents, redact }: Sender & SpanChoice,
): ReadableSpan {
	const { spanId, parentId, durationMs, outcome } = span;
	const startedAt = trace.startedAt + span.startMs;
	const contextOf = (spanId: string) => {
		return { traceId: trace.traceId, spanId, traceFlags: TraceFlags.SAMPLED };
	};
	return {
		name: redact(worded.name),
		kind: worded.kind ?? SpanKind.INTERNAL,
		spanContext: () => contextOf(spanId),
		...(parentId !== undefined && { parentSpanContext: contextOf(parentId) }),
		startTime: hrTime(startedAt),
		endTime: hrTime(startedAt + durationMs),
		duration: hrTime(durationMs),
		status: { code: outcome === "failed" ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
		attributes: {
			...redacted(worded.attributes, redact),
			...(contents && redacted(worded.contents ?? {}, redact)),
			"copilot_ld.outcome": outcome,
			...errorOf(span),
		},
		ended: true,
		resource,
		instrumentationScope: { name: NAME, version },
		links: [],
		events: [],
		...NOTHING_DROPPED,
	};
}

/** Attribute that is not redacted: session ids look like secrets, but are our own random values. */
const SESSION_ID = "gen_ai.conversation.id";

function redacted(attributes: Attributes, redact: (text: string) => string): Attributes {
	const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined);
	return Object.fromEntries(
		pairs.map(([name, value]) => {
			const isText = typeof value === "string" && name !== SESSION_ID;
			return [name, isText ? redactText(value, redact) : value];
		}),
	);
}

/** Redacts a text. If the text is JSON, the whole value of a key that names a secret is redacted. */
function redactText(text: string, redact: (text: string) => string): string {
	const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
	return value === undefined ? redact(text) : JSON.stringify(redactAll(value, redact));
}

export function hrTime(ms: number): HrTime {
	const seconds = Math.floor(ms / 1000);
	return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
