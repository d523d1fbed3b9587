import type OpenAI from "openai";
import type {
	ChatCompletionContentPart,
	ChatCompletionCreateParamsStreaming,
	ChatCompletionMessageParam,
	ChatCompletionTool,
} from "openai/resources";
import { wordsOf } from "../base/http/endpointWords.ts";
import { type Persistently, streamPersistently } from "../base/http/persistent.ts";
import { readModelJson } from "../base/text/modelJson.ts";
import { inTrace, readTraceparent } from "../base/traces/traceContext.ts";
import { isRecord } from "../base/values.ts";
import { joinMessages, type Message, type ModelPart } from "../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../core/agent/tool.ts";
import { numberAt, valueAt } from "./jsonPath.ts";
import { type Asked, brokenOff, malformed, troubleOf, unreadableCall } from "./troubleOf.ts";

export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly Message[];
	readonly tools: readonly ToolDeclaration[];
	readonly mustCall?: boolean;
	/** Options of the protocol: `temperature`, `max_tokens`, … */
	readonly options?: Readonly<Record<string, unknown>>;
}

export type ServerPart =
	| ModelPart
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number };

export interface RespondPorts {
	readonly client: OpenAI;
	readonly persistently: Persistently;
	readonly asked: Asked;
}

interface WrittenCall {
	readonly id: string;
	readonly name: string;
	readonly input: string;
}

/** No model means to do more at once. */
const MOST_CALLS = 128;

/** Streams one answer. Retries if that may help and nothing has arrived; rejects with a `ModelTrouble`. */
export function respond(
	ports: RespondPorts,
	request: ChatRequest,
	signal: AbortSignal,
): AsyncGenerator<ServerPart> {
	const { persistently, asked } = ports;
	const failedOf = (thrown: unknown) => troubleOf(thrown, asked);
	return streamPersistently({ persistently, failedOf }, () => partsOf(ports, request, signal), signal);
}

function bodyOf(request: ChatRequest): ChatCompletionCreateParamsStreaming {
	const { model, messages, tools, mustCall = false, options = {} } = request;
	return {
		...known(options),
		model,
		messages: toChatMessages(messages),
		...(tools.length > 0 && { tools: tools.map(toChatTool) }),
		...(tools.length > 0 && mustCall && { tool_choice: "required" }),
		stream: true,
		stream_options: { include_usage: true },
	};
}

const OPTIONS = new Set([
	"temperature",
	"top_p",
	"max_tokens",
	"max_completion_tokens",
	"stop",
	"seed",
	"frequency_penalty",
	"presence_penalty",
	"reasoning_effort",
]);

/** The caller may choose only how the model answers. */
function known(options: Readonly<Record<string, unknown>>): object {
	return Object.fromEntries(Object.entries(options).filter(([name]) => OPTIONS.has(name)));
}

async function* partsOf(
	ports: RespondPorts,
	request: ChatRequest,
	signal: AbortSignal,
): AsyncGenerator<ServerPart> {
	const { asked } = ports;
	// Our own chat names the span that asks; VS Code does not carry it over.
	const chunks = await inTrace(readTraceparent(request.options?.["traceparent"]), () =>
		openStream(ports, request, signal),
	);
	const pieces = createToolCallPieces();
	let isWhole = false;
	for await (const chunk of chunks) {
		const choice = choiceIn(chunk);
		const text = textOf(valueAt(choice, "delta", "content"));
		if (text !== "") yield { kind: "text", text };
		if (!pieces.add(valueAt(choice, "delta", "tool_calls")))
			throw malformed(asked, "it never stops calling tools");
		isWhole ||= Boolean(valueAt(choice, "finish_reason"));
		const usage = valueAt(chunk, "usage");
		if (usage) yield usageOf(usage);
	}
	// The library silently ends a stream when its request is aborted.
	signal.throwIfAborted();
	if (!isWhole) throw brokenOff(asked);
	yield* pieces.calls().map((call) => toPart(call, asked));
}

function toPart({ id, name, input: written }: WrittenCall, asked: Asked): ServerPart {
	const input = readArguments(written);
	if (!input) throw unreadableCall(asked, name);
	return { kind: "toolCall", call: { id, name, input } };
}

/** The chunks of the response, not validated yet. */
async function openStream(
	{ client, asked }: RespondPorts,
	request: ChatRequest,
	signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
	const { data, response } = await client.chat.completions.create(bodyOf(request), { signal }).withResponse();
	if (!/\b(json|html)\b/.test(response.headers.get("content-type") ?? "")) return data;
	throw malformed(asked, `it is not a stream of events${wordsOf(await response.text(), asked.key)}`);
}

/** We ask for one answer; if a server gives more, takes the first. */
function choiceIn(chunk: unknown): unknown {
	const choices = valueAt(chunk, "choices");
	return Array.isArray(choices) ? choices.find((choice) => (valueAt(choice, "index") ?? 0) === 0) : undefined;
}

/** Some servers give it in parts, of which some are no text. */
function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.map((part) => valueAt(part, "text"))
		.filter((text) => typeof text === "string")
		.join("");
}

/** Some servers count only one of the two. */
function usageOf(usage: unknown): ServerPart {
	const [inputTokens = 0, outputTokens = 0] = [
		numberAt(usage, "prompt_tokens"),
		numberAt(usage, "completion_tokens"),
	];
	return { kind: "usage", inputTokens, outputTokens };
}

/** In OpenAI's form. */
function toChatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
	return joinMessages(messages).map(toChatMessage);
}

function toChatMessage(message: Message): ChatCompletionMessageParam {
	if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
	if (message.role === "system") return { role: "system", content: message.text };
	if (message.role === "user") return { role: "user", content: contentOf(message) };
	const { text, toolCalls } = message;
	if (toolCalls.length === 0) return { role: "assistant", content: text };
	const calls = toolCalls.map(({ id, name, input }) => ({
		id,
		type: "function" as const,
		function: { name, arguments: JSON.stringify(input ?? {}) },
	}));
	// Some servers refuse `null` here.
	return { role: "assistant", content: text, tool_calls: calls };
}

/** Plain text if possible: servers without images do not understand parts either. */
function contentOf({
	text,
	images = [],
}: Extract<Message, { role: "user" }>): string | ChatCompletionContentPart[] {
	if (images.length === 0) return text;
	const seen = images.map(({ mimeType, data }) => ({
		type: "image_url" as const,
		image_url: { url: `data:${mimeType};base64,${data}` },
	}));
	return text ? [{ type: "text", text }, ...seen] : seen;
}

function toChatTool({ name, description, inputSchema }: ToolDeclaration): ChatCompletionTool {
	return { type: "function", function: { name, description, parameters: { ...inputSchema } } };
}

/** Assembles the calls of an answer, whose arguments come in pieces. */
function createToolCallPieces() {
	const begun: { index: number | undefined; id: string; name: string; input: string[] }[] = [];
	const addOne = (piece: unknown) => {
		const [index, id] = [indexOf(piece), textAt(piece, "id")];
		const open = begun.findLast((call) => index === undefined || call.index === index);
		// Some servers give every call the index 0; a new id means a new call.
		const isNew = !open || (id !== "" && open.id !== "" && id !== open.id);
		const call = isNew ? { index, id: "", name: "", input: [] } : open;
		if (isNew) begun.push(call);
		call.id ||= id;
		call.name ||= textAt(piece, "function", "name");
		call.input.push(argumentsOf(piece));
	};
	return {
		/** What an answer has under `tool_calls`, whatever that is. Whether there are not too many yet. */
		add: (pieces: unknown) => {
			for (const piece of Array.isArray(pieces) ? pieces : []) {
				addOne(piece);
				if (begun.length > MOST_CALLS) return false;
			}
			return true;
		},
		calls: () =>
			begun
				.filter(({ name }) => name !== "")
				.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
				.map(({ id, name, input }) => ({
					id: id || `call_${crypto.randomUUID()}`,
					name,
					input: input.join(""),
				})),
	};
}

function indexOf(piece: unknown): number | undefined {
	const index = valueAt(piece, "index");
	return typeof index === "number" ? index : undefined;
}

function textAt(piece: unknown, ...path: readonly string[]): string {
	const text = valueAt(piece, ...path);
	return typeof text === "string" ? text : "";
}

/** Some servers give them as they are meant, not as text. */
function argumentsOf(piece: unknown): string {
	const written = valueAt(piece, "function", "arguments");
	return isRecord(written) ? JSON.stringify(written) : textAt(piece, "function", "arguments");
}

/** Tools expect an object. `undefined` if it is not one, or was cut short: the intention is then unknown. */
function readArguments(input: string): object | undefined {
	if (/^\s*(?:null)?\s*$/.test(input)) return {};
	const value = readModelJson(input);
	return isRecord(value) ? value : undefined;
}
