import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CreateMessageResultWithTools, SamplingMessage } from "@modelcontextprotocol/sdk/types.js";
import { type ChannelParts, createChannelRunner } from "../../agent/loop/tracedAgent.ts";
import type { Model } from "../../agent/ports.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { joinMessages, type Message, type ModelPart, type Runner } from "../../core/agent/agentEvent.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import type { AnswerLimits } from "../../models/chatBody.ts";
import type { McpArguments } from "../../protocol/worker.ts";

/** Maximum number of model requests per answer. Clients may ask their user about each; servers may charge. */
const ROUNDS = 6;

export function createModelRunner(parts: Omit<ChannelParts, "maxRounds">): Runner {
	return createChannelRunner({ ...parts, maxRounds: ROUNDS });
}

/** Assumed limit of a client's model. Clients do not state limits; all current models accept this number. */
const INPUT_TOKENS = 16_000;
/** Default limits of an answer. The time includes that the client may ask its user for permission. */
const [USUAL_TOKENS, USUAL_SECONDS] = [2000, 600];

const CUT = "Ask the model to go on, or start the program with a larger --agents-answer-tokens.";

/** The client's model, which answers in one piece, and calls tools if the client supports them. */
export function createSamplingModel(
	client: Server,
	{ wanted, limits = {} }: { readonly wanted: string | undefined; readonly limits: McpArguments["agents"] },
): Model {
	const { answerTokens: tokens = USUAL_TOKENS, answerTimeout: seconds = USUAL_SECONDS } = limits;
	let name = wanted ?? "unknown";
	return {
		get named() {
			return { model: name, provider: "mcp-client" };
		},
		maxInputTokens: INPUT_TOKENS,
		countTokens: async (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN),
		respond: async function* (messages, tools, signal) {
			const asked = { messages, tools, wanted, limits: { tokens, seconds } };
			const result = await sample(client, asked, signal);
			name = result.model;
			yield* partsOf(result, tokens);
		},
	};
}

function* partsOf(
	{ content, stopReason }: CreateMessageResultWithTools,
	tokens: number,
): Generator<ModelPart> {
	for (const part of [content].flat()) {
		if (part.type === "text") yield { kind: "text", text: part.text };
		if (part.type !== "tool_use") continue;
		yield { kind: "toolCall", call: { id: part.id, name: part.name, input: part.input } };
	}
	if (stopReason !== undefined) yield { kind: "finished", reason: stopReason };
	const text = `The answer was cut off at its limit (${tokens} tokens). ${CUT}`;
	if (stopReason === "maxTokens") yield { kind: "notice", isCut: true, text };
}

interface Asked {
	readonly messages: readonly Message[];
	readonly tools: readonly ToolDeclaration[];
	/** Name of the preferred model; the client may choose another. */
	readonly wanted: string | undefined;
	readonly limits: AnswerLimits;
}

async function sample(client: Server, { messages, tools, wanted, limits }: Asked, signal: AbortSignal) {
	const systemPrompt = messages.flatMap((one) => (one.role === "system" ? [one.text] : [])).join("\n\n");
	const request = {
		systemPrompt,
		messages: spokenOf(joinMessages(messages)),
		maxTokens: limits.tokens,
		includeContext: "none" as const,
		...(wanted !== undefined && { modelPreferences: { hints: [{ name: wanted }] } }),
	};
	const declared = tools.map(({ name, description, inputSchema }) => ({
		name,
		description,
		inputSchema: { ...inputSchema, type: "object" as const },
	}));
	try {
		const options = { signal, timeout: limits.seconds * 1000 };
		if (declared.length === 0) return await client.createMessage(request, options);
		return await client.createMessage({ ...request, tools: declared }, options);
	} catch (thrown) {
		signal.throwIfAborted();
		// Compares the name, because `client` comes from a bundle with its own copy of the class.
		if (!(thrown instanceof Error && thrown.name === "McpError")) throw thrown;
		const words = `The client did not let its model answer (${messageOf(thrown)}). search_knowledge finds passages without one.`;
		throw new Failure("MODEL_FAILED", words, { cause: thrown });
	}
}

/** Converts messages. The protocol wants all replies to the tool calls of one message in one message. */
function spokenOf(messages: readonly Message[]): SamplingMessage[] {
	const spoken: SamplingMessage[] = [];
	for (const [index, message] of messages.entries()) {
		if (message.role === "user") spoken.push({ role: "user", content: { type: "text", text: message.text } });
		if (message.role === "assistant") spoken.push({ role: "assistant", content: contentOf(message) });
		if (message.role !== "tool") continue;
		const { callId: toolUseId, text } = message;
		const reply = { type: "tool_result" as const, toolUseId, content: [{ type: "text" as const, text }] };
		const last = messages[index - 1]?.role === "tool" ? spoken.pop() : undefined;
		spoken.push({ role: "user", content: [last?.content ?? [], reply].flat() });
	}
	return spoken;
}

function contentOf({ text, toolCalls }: Extract<Message, { role: "assistant" }>): SamplingMessage["content"] {
	const said = { type: "text" as const, text };
	const calls = toolCalls.map(({ id, name, input }) => ({
		type: "tool_use" as const,
		id,
		name,
		input: { ...Object(input) },
	}));
	if (calls.length === 0) return said;
	return text === "" ? calls : [said, ...calls];
}
