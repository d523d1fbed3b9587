import type OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming, CompletionUsage } from "openai/resources";
import type { Persistently } from "../base/http/persistent.ts";
import { streamPersistently } from "../base/http/streamPersistently.ts";
import { inTrace, readTraceparent } from "../base/traceContext.ts";
import type { Message, ModelPart } from "../core/agent/message.ts";
import type { ToolDeclaration } from "../core/agent/tool.ts";
import { toChatMessages, toChatTool } from "./chatMessages.ts";
import { createToolCallPieces } from "./toolCallPieces.ts";
import { type Asked, brokenOff, troubleOf } from "./troubleOf.ts";

export interface ChatRequest {
	readonly model: string;
	readonly messages: readonly Message[];
	readonly tools: readonly ToolDeclaration[];
	/** Whether the model must call a tool. */
	readonly mustCall?: boolean;
	/** Options of the protocol: `temperature`, `max_tokens`, … */
	readonly options?: Readonly<Record<string, unknown>>;
}

export type ServerPart =
	| ModelPart
	/** What the server counted. */
	| { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number };

interface RespondPorts {
	readonly client: OpenAI;
	readonly persistently: Persistently;
	readonly asked: Asked;
}

/** Streams one answer. Retries if that may help and nothing has arrived; rejects with a `ModelTrouble`. */
export function respond(
	{ client, persistently, asked }: RespondPorts,
	request: ChatRequest,
	signal: AbortSignal,
): AsyncGenerator<ServerPart> {
	const failedOf = (thrown: unknown) => troubleOf(thrown, asked);
	return streamPersistently(
		{ persistently, failedOf },
		() => partsOf({ client, asked }, request, signal),
		signal,
	);
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
	{ client, asked }: Pick<RespondPorts, "client" | "asked">,
	request: ChatRequest,
	signal: AbortSignal,
): AsyncGenerator<ServerPart> {
	// Our own chat names the span that asks; VS Code does not carry it over.
	const chunks = await inTrace(readTraceparent(request.options?.["traceparent"]), () =>
		client.chat.completions.create(bodyOf(request), { signal }),
	);
	const pieces = createToolCallPieces();
	let isWhole = false;
	for await (const { choices, usage } of chunks) {
		const { delta, finish_reason } = choices?.[0] ?? {};
		if (delta?.content) yield { kind: "text", text: delta.content };
		pieces.add(delta?.tool_calls ?? []);
		isWhole ||= Boolean(finish_reason);
		if (usage) yield usageOf(usage);
	}
	// The library silently ends a stream when its request is aborted.
	signal.throwIfAborted();
	if (!isWhole) throw brokenOff(asked);
	for (const call of pieces.calls()) yield { kind: "toolCall", call };
}

/** Some servers count only one of the two. */
function usageOf({ prompt_tokens, completion_tokens }: Partial<CompletionUsage>): ServerPart {
	return { kind: "usage", inputTokens: prompt_tokens ?? 0, outputTokens: completion_tokens ?? 0 };
}
