import { escapeMarkdown, quoteMarkdown, shownBlock } from "../../base/markdown.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Transcript, TranscriptTurn } from "../../core/session/session.ts";

/** A session as a document for people: questions, what was done for them, and the answers as they were. */
export function sessionMarkdown({ session, turns }: Transcript): string {
	const begun = new Date(session.createdAt).toISOString();
	return [
		`# ${escapeMarkdown(session.title)}`,
		`Begun ${begun}, ${session.tokens} tokens.`,
		...turns.map(turnText),
	]
		.join("\n\n")
		.concat("\n");
}

function turnText(turn: TranscriptTurn): string {
	const { question, command, attachments, events, answer, outcome, error } = turn;
	const asked = command ? `/${command} ${question}` : question;
	const parts = [
		`## Turn ${turn.turn + 1}`,
		quoteMarkdown(asked),
		attachments.length > 0 && `Attached: ${attachments.map(escapeMarkdown).join(", ")}`,
		...events.map(eventText),
		answer,
		outcome !== "done" && `*${error ? escapeMarkdown(error) : ENDINGS[outcome ?? "none"]}*`,
	];
	return parts.filter(Boolean).join("\n\n");
}

const ENDINGS = {
	cancelled: "Stopped.",
	failed: "The turn failed.",
	roundLimit: "The model wanted more tool calls than allowed.",
	none: "The turn was cut off before it ended.",
} as const;

/** What a step did, and what it said, carries its name. */
function eventText(event: AgentEvent): string | undefined {
	const text = bodyText(event);
	if (event.step === undefined || text === undefined) return text;
	return event.kind.startsWith("step") ? text : quoteLines(`${escapeMarkdown(event.step)}:\n\n${text}`);
}

function quoteLines(markdown: string): string {
	return markdown.replace(/^/gm, "> ");
}

function bodyText(event: AgentEvent): string | undefined {
	switch (event.kind) {
		case "stepStarted":
			return event.session ? undefined : `### ${escapeMarkdown(event.agent)} begins (try ${event.attempt})`;
		case "stepFinished":
			return `### ${escapeMarkdown(event.agent)}: ${event.outcome}\n\n${quoteMarkdown(event.text)}`;
		case "toolFinished": {
			const { call, ok, text } = event;
			const input = JSON.stringify(call.input, undefined, 2) ?? "";
			return `**${ok ? "Tool" : "Failed tool"} ${escapeMarkdown(call.name)}**\n\n${shownBlock(input)}\n\n${shownBlock(text)}`;
		}
		case "permission":
			return `*${event.effect === "allow" ? "Allowed" : "Denied"} by ${event.by === "host" ? "VS Code" : event.by}: ${escapeMarkdown(event.title)}*`;
		case "diff":
			return `*Changed ${escapeMarkdown(event.path)}*\n\n${shownBlock(event.oldText)}\n\n${shownBlock(event.newText)}`;
		case "plan":
			return event.steps.map(({ title, status }) => `- ${escapeMarkdown(title)} (${status})`).join("\n");
		case "notice":
			return quoteMarkdown(event.text);
		default:
			return undefined;
	}
}
