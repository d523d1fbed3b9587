import { escapeMarkdown, inlineCode } from "../../base/markdown.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";

/** Of a long session the end is shown; the view of sessions has all of it. */
const TURNS = 12;
const CALLS = 10;
const CHARACTERS = 4000;

interface Replayed {
	readonly title: string;
	readonly turns: readonly TranscriptTurn[];
	/** Where it works, if that is worth a word. */
	readonly folder?: string;
}

/** What was said in a session, for the chat that goes on with it. All of it is text of others, and shown as it is. */
export function replayText({ title, turns, folder }: Replayed): string {
	const count = turns.length === 1 ? "1 turn" : `${turns.length} turns`;
	const place = folder ? ` It works in ${inlineCode(folder)}.` : "";
	const head = `This chat goes on with **${escapeMarkdown(lineOf(title))}** (${count}).${place}`;
	const shown = turns.slice(-TURNS);
	const left = turns.length - shown.length;
	const skipped = left > 0 ? [`*${left} earlier turns are in the view “Sessions”.*`] : [];
	return [head, ...skipped, ...shown.map(turnText)].join("\n\n");
}

function turnText({ question, events, answer, outcome, error }: TranscriptTurn): string {
	const calls = events.flatMap(callText);
	const notes = events.flatMap((event) =>
		event.kind === "notice" ? [`> ${escapeMarkdown(event.text)}`] : [],
	);
	const more = calls.length > CALLS ? [`- *${calls.length - CALLS} more calls*`] : [];
	const list = [...calls.slice(0, CALLS), ...more].join("\n");
	const ending =
		error !== undefined ? `*It failed: ${escapeMarkdown(lineOf(error))}*` : ENDINGS[outcome ?? "cancelled"];
	const parts = [`**You:** ${quoted(question)}`, list, quoted(answer), ...notes, ending];
	return `---\n\n${parts.filter((part) => part !== "").join("\n\n")}`;
}

const ENDINGS = {
	done: "",
	failed: "*It failed.*",
	roundLimit: "*It was ended after too many calls of tools.*",
	cancelled: "*It was not finished.*",
} as const;

/** Calls that have ended; what they put out is in the view of sessions. */
function callText(event: AgentEvent): string[] {
	if (event.kind !== "toolFinished") return [];
	const { ok, call } = event;
	const { input } = call;
	const command =
		typeof input === "object" && input !== null && "command" in input
			? ` ${inlineCode(`${input.command}`)}`
			: "";
	return [`- ${ok ? "✓" : "✗"} ${escapeMarkdown(lineOf(call.name))}${command}`];
}

function quoted(text: string): string {
	const trimmed = text.trim();
	const cut = trimmed.length > CHARACTERS ? `${trimmed.slice(0, CHARACTERS)} …` : trimmed;
	// Two spaces keep the lines apart without any line becoming code, a list or a heading.
	return cut
		.split(/\r\n|[\r\n]/)
		.map((line) => escapeMarkdown(line.trimStart()))
		.join("  \n");
}

function lineOf(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}
