import { l10n } from "vscode";
import { escapeMarkdown, inlineCode } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { callLine } from "../cli/liveOutput.ts";
import { amounts } from "../l10n.ts";
import { type CalmPiece, calmMarkdown } from "./calmMarkdown.ts";

/** Characters of questions and answers together. Only the end of a longer session is shown; the view of sessions has all of it. */
const MOST_CHARACTERS = 800_000;
const CALLS = 10;
const CHARACTERS = 4000;

interface Replayed {
	readonly title: string;
	readonly turns: readonly TranscriptTurn[];
	/** The session's folder, if it is worth mentioning. */
	readonly folder?: string;
}

/** What was said in a session, for the chat that goes on with it. All of it is text of others, in which nothing can act. */
export function replayText({ title, turns, folder }: Replayed): CalmPiece[] {
	const count = amounts.turns(turns.length);
	const place = folder ? ` ${l10n.t("It works in {0}.", inlineCode(folder))}` : "";
	const head = l10n.t("This chat continues **{0}** ({1}).", escapeMarkdown(title), count) + place;
	let room = MOST_CHARACTERS;
	const tooFar = turns.findLastIndex(({ question, answer }) => {
		room -= cut(question).length + cut(answer).length;
		return room < 0;
	});
	const left = tooFar + 1;
	const skipped =
		left > 0
			? [
					`*${left === 1 ? l10n.t("1 earlier turn is shown in the Sessions view.") : l10n.t("{0} earlier turns are shown in the Sessions view.", left)}*`,
				]
			: [];
	return [[head, ...skipped].join("\n\n"), ...turns.slice(left).flatMap(turnPieces)];
}

function turnPieces({ question, events, answer, outcome, error }: TranscriptTurn): CalmPiece[] {
	const calls = events.flatMap(callText);
	const notes = events.flatMap((event) =>
		event.kind === "notice" ? [`> ${escapeMarkdown(event.text)}`] : [],
	);
	const more = calls.length > CALLS ? [`- *${l10n.t("and {0} more", calls.length - CALLS)}*`] : [];
	const list = [...calls.slice(0, CALLS), ...more].join("\n");
	const ending =
		error !== undefined
			? `*${l10n.t("The turn failed: {0}", escapeMarkdown(error))}*`
			: ENDINGS[outcome ?? "cancelled"];
	const told = (...parts: readonly string[]) =>
		parts.flatMap((part) => (part === "" ? [] : [`\n\n${part}`])).join("");
	const asked = told("---", `**${l10n.t("You:")}** ${quoted(question)}`, list);
	return [`${asked}\n\n`, ...calmMarkdown(cut(answer)), told(...notes, ending)];
}

const ENDINGS = {
	done: "",
	failed: `*${l10n.t("The turn failed.")}*`,
	roundLimit: `*${l10n.t("The turn ended after too many tool calls.")}*`,
	cancelled: `*${l10n.t("The turn was not finished.")}*`,
} as const;

/** Calls that have ended; what they put out is in the view of sessions. */
function callText(event: AgentEvent): string[] {
	if (event.kind !== "toolFinished") return [];
	const { ok, call } = event;
	return [`- ${ok ? "✓" : "✗"} ${callLine(escapeMarkdown(call.name), call.input)}`];
}

function quoted(text: string): string {
	// Two spaces keep the lines apart without any line becoming code, a list or a heading.
	return cut(text)
		.split(/\r\n|[\r\n]/)
		.map((line) => escapeMarkdown(line.trimStart()))
		.join("  \n");
}

function cut(text: string): string {
	const trimmed = text.trim();
	return trimmed.length > CHARACTERS ? `${trimmed.slice(0, CHARACTERS)} …` : trimmed;
}
