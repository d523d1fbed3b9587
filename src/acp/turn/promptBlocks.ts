import type { ContentBlock } from "@agentclientprotocol/sdk";
import { fenced } from "../../base/text/visibleText.ts";
import type { AgentRequest, Turn } from "../../core/agent/agentEvent.ts";

const DIGEST_CHARACTERS = 1500;
const DIGEST_TURNS = 8;

/** Attachments are sent as text, because the CLI writes a resource to a file and shows the model only its path. */
export function promptBlocks(request: AgentRequest): ContentBlock[] {
	const { question, history, instructions = "", attachments, images = [], agent } = request;
	// A slash command works only at the start of a prompt. Tasks for agents must not run commands.
	if (question.startsWith("/") && !agent) return [{ type: "text", text: question }];
	const context = [
		...(instructions === "" ? [] : [`My instructions for every answer of this session:\n\n${instructions}`]),
		...(history.length > 0 ? [digestOf(history)] : []),
		...attachments.map(({ name, text }) => `Attached, ${name}:\n\n${fenced(text)}`),
		...(agent ? ["Your task:"] : []),
	];
	return [
		...context.map((text) => ({ type: "text" as const, text: `${text}\n\n` })),
		...images.map(({ mimeType, data }) => ({ type: "image" as const, mimeType, data })),
		{ type: "text", text: question },
	];
}

function digestOf(history: readonly Turn[]): string {
	const turns = history.slice(-DIGEST_TURNS);
	const left = history.length - turns.length;
	const skipped = left > 0 ? `\n\n(${left} earlier turns are left out.)` : "";
	const lines = turns.map(
		({ question, answer }) => `Question: ${shorten(question)}\nAnswer: ${shorten(answer)}`,
	);
	return `This conversation began with another assistant. What was said so far:${skipped}\n\n${lines.join("\n\n")}`;
}

function shorten(text: string): string {
	return text.length <= DIGEST_CHARACTERS ? text : `${text.slice(0, DIGEST_CHARACTERS)} …`;
}
