import { OutputMode, PromptRenderer, Raw } from "@vscode/prompt-tsx";
import type { Message } from "../../core/message.ts";
import type { Model } from "../ports.ts";
import { AgentPrompt } from "./agentPrompt.tsx";
import { fitFacts } from "./fitFacts.ts";
import type { PromptFacts } from "./promptFacts.ts";
import { estimateTokens, MESSAGE_TOKENS } from "./tokens.ts";

/** The share of the model's window that we fill: our count is an estimate. */
const FILL = 0.9;

/** Renders the prompt within the model's window. Returns also the facts that found a place in it. */
export async function renderMessages(
	facts: PromptFacts,
	model: Pick<Model, "maxInputTokens">,
	signal: AbortSignal,
): Promise<{ messages: Message[]; fitted: PromptFacts }> {
	const toolTokens = estimateTokens(JSON.stringify(facts.tools));
	const budget = Math.max(0, Math.floor(model.maxInputTokens * FILL) - toolTokens);
	const fitted = fitFacts(facts, budget);
	const renderer = new PromptRenderer(
		{ modelMaxPromptTokens: budget },
		AgentPrompt,
		{ facts: fitted },
		tokenizer,
	);
	const { messages } = await renderer.render();
	signal.throwIfAborted();
	const kept = messages.flatMap(toMessage);
	if (
		!kept.some((message) => message.role === "user" && message.text.includes(facts.request.question.trim()))
	)
		throw new Error(
			"The question is too long for this model. Ask a shorter one, or choose a model with a larger window.",
		);
	return { messages: withWholeRounds(kept), fitted };
}

const tokenizer = {
	mode: OutputMode.Raw as const,
	tokenLength: (part: Raw.ChatCompletionContentPart) =>
		part.type === Raw.ChatCompletionContentPartKind.Text ? estimateTokens(part.text) : 0,
	countMessageTokens: (message: Raw.ChatMessage) =>
		MESSAGE_TOKENS + estimateTokens(textOf(message)) + estimateTokens(JSON.stringify(callsOf(message))),
};

function toMessage(message: Raw.ChatMessage): Message[] {
	const text = textOf(message).trim();
	if (message.role === Raw.ChatRole.System) return [{ role: "system", text }];
	if (message.role === Raw.ChatRole.Tool)
		return [{ role: "tool", callId: message.toolCallId ?? "", text: text || "(no output)" }];
	if (message.role === Raw.ChatRole.User) return text ? [{ role: "user", text }] : [];
	const toolCalls = callsOf(message).map((call) => ({
		id: call.id,
		name: call.function.name,
		input: JSON.parse(call.function.arguments) as unknown,
	}));
	return text || toolCalls.length > 0 ? [{ role: "assistant", text, toolCalls }] : [];
}

/** Providers refuse a call without its result and a result without its call. */
function withWholeRounds(messages: readonly Message[]): Message[] {
	const results = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
	const whole = messages.flatMap((message): Message[] => {
		if (message.role !== "assistant") return [message];
		const toolCalls = message.toolCalls.filter(({ id }) => results.has(id));
		return message.text || toolCalls.length > 0 ? [{ ...message, toolCalls }] : [];
	});
	const calls = new Set(
		whole.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [])),
	);
	return whole.filter((message) => message.role !== "tool" || calls.has(message.callId));
}

function callsOf(message: Raw.ChatMessage): Raw.ChatMessageToolCall[] {
	return message.role === Raw.ChatRole.Assistant ? (message.toolCalls ?? []) : [];
}

function textOf(message: Raw.ChatMessage): string {
	return message.content
		.map((part) => (part.type === Raw.ChatCompletionContentPartKind.Text ? part.text : ""))
		.join("");
}
