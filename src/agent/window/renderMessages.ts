import { OutputMode, PromptRenderer, Raw } from "@vscode/prompt-tsx";
import { Failure } from "../../base/failure.ts";
import type { ContextPart, Message, ToolCall } from "../../core/agent/agentEvent.ts";
import type { ModelWindow } from "../ports.ts";
import { AgentPrompt } from "../prompt/agentPrompt.tsx";
import { MESSAGE_TOKENS, type PromptFacts, systemText } from "../prompt/promptFacts.ts";
import { attachmentsIn, callsText, fitPieces, fitWindow, piecesOf } from "./fitWindow.ts";
import type { Count, CutNote } from "./tokenCounts.ts";

/** Share of the model's window to fill, because providers add text of their own to tools and messages. */
const FILL = 0.95;
const FRAME = 8 * MESSAGE_TOKENS + 32;
/** Maximum share of the window for instruction files, which are cut if they are longer. */
const INSTRUCTIONS_SHARE = 0.15;
/** Maximum tokens of an image in most current models. */
const IMAGE_TOKENS = 1600;
/** Maximum number of attempts. Joined texts may have more tokens than their sum, so each attempt fits less text. */
const ATTEMPTS = 6;

/** Renders the prompt within the model's window, using the model's own token counts. */
export async function renderMessages(
	facts: PromptFacts,
	{ model, noteOf }: { readonly model: ModelWindow; noteOf(call: ToolCall): CutNote },
	signal: AbortSignal,
) {
	const count: Count = (text) => model.countTokens(text, signal);
	const budget = Math.floor(model.maxInputTokens * FILL);
	const pieces = await piecesOf(facts.instructions, { section: "instructions", why: ALWAYS }, count);
	const cut = await fitPieces(pieces, budget * INSTRUCTIONS_SHARE, count);
	const instructions = attachmentsIn(pieces, cut.texts);
	const fixed = [...(await fixedParts(facts, count)), ...cut.parts];
	const uncounted = fixed.filter(({ section }) => section === "tools" || section === "attachments");
	const besides = uncounted.reduce((sum, { tokens }) => sum + tokens, 0);
	let free = budget - FRAME - fixed.reduce((sum, { given }) => sum + given, 0);
	for (let attempt = 0; attempt < ATTEMPTS && free >= 0; attempt++) {
		const fitted = await fitWindow({ ...facts, instructions }, free, { count, noteOf });
		const messages = await toMessages(fitted.facts);
		const used = besides + (await countMessages(messages, count));
		signal.throwIfAborted();
		const report = { budget, used, parts: inOrder([...fixed, ...fitted.parts]) };
		if (used <= budget) return { messages, fitted: fitted.facts, report };
		free = Math.min(free - 1, free - (used - budget));
	}
	throw new Failure("BAD_INPUT", TOO_LONG);
}

const TOO_LONG =
	"The question is too long for this model. Ask a shorter one, or choose a model with a larger window.";

async function fixedParts(facts: PromptFacts, count: Count): Promise<ContextPart[]> {
	const texts = [
		{ section: "instructions", title: "How to answer and cite", text: systemText(facts) },
		{
			section: "tools",
			title: facts.tools.map(({ name }) => name).join(", "),
			text: facts.tools.length === 0 ? "" : JSON.stringify(facts.tools),
		},
		{ section: "question", title: "The question", text: facts.request.question },
	] as const;
	const { images = [] } = facts.request;
	const seen = images.length * IMAGE_TOKENS;
	const pictures: ContextPart = {
		section: "attachments",
		title: images.length === 1 ? "1 image" : `${images.length} images`,
		tokens: seen,
		given: seen,
		why: "approximately: models count images only once they see them",
	};
	const fixed = await Promise.all(
		texts.map(async ({ section, title, text }) => {
			const tokens = await count(text);
			return { section, title, tokens, given: tokens, why: ALWAYS };
		}),
	);
	return images.length === 0 ? fixed : [...fixed, pictures];
}

const ALWAYS = "it is part of every request";

const LAST: readonly ContextPart["section"][] = ["question", "results"];

function inOrder(parts: readonly ContextPart[]): ContextPart[] {
	return parts.toSorted((a, b) => LAST.indexOf(a.section) - LAST.indexOf(b.section));
}

async function countMessages(messages: readonly Message[], count: Count): Promise<number> {
	const counted = messages.map(async (message) => {
		const calls = message.role === "assistant" ? await count(callsText(message.toolCalls)) : 0;
		return MESSAGE_TOKENS + (await count(message.text)) + calls;
	});
	return (await Promise.all(counted)).reduce((sum, tokens) => sum + tokens, 0);
}

/** Renders all facts. The renderer's own limit is off, because it lacks the model's token counts. */
async function toMessages(facts: PromptFacts): Promise<Message[]> {
	const endless = { modelMaxPromptTokens: Number.MAX_SAFE_INTEGER };
	const { messages } = await new PromptRenderer(endless, AgentPrompt, { facts }, UNCOUNTED).render();
	return withImages(messages.flatMap(toMessage), facts);
}

function withImages(messages: Message[], { request: { images = [] } }: PromptFacts): Message[] {
	const asked = messages.findLastIndex(({ role }) => role === "user");
	const question = messages[asked];
	return images.length === 0 || question?.role !== "user"
		? messages
		: messages.with(asked, { ...question, images });
}

const UNCOUNTED = { mode: OutputMode.Raw as const, tokenLength: () => 0, countMessageTokens: () => 0 };

function toMessage(message: Raw.ChatMessage): Message[] {
	const text = textOf(message).trim();
	if (message.role === Raw.ChatRole.System) return [{ role: "system", text }];
	if (message.role === Raw.ChatRole.Tool) return [{ role: "tool", callId: message.toolCallId ?? "", text }];
	if (message.role === Raw.ChatRole.User) return text ? [{ role: "user", text }] : [];
	const calls = message.role === Raw.ChatRole.Assistant ? (message.toolCalls ?? []) : [];
	const toolCalls = calls.map((call) => ({
		id: call.id,
		name: call.function.name,
		input: JSON.parse(call.function.arguments) as unknown,
	}));
	return text || toolCalls.length > 0 ? [{ role: "assistant", text, toolCalls }] : [];
}

function textOf(message: Raw.ChatMessage): string {
	return message.content.map((part) => ("text" in part ? part.text : "")).join("");
}
