import * as vscode from "vscode";
import { citationsIn } from "../core/citation.ts";
import type { Turn } from "../core/message.ts";
import type { TurnRecord } from "./turnRecord.ts";

/** The earlier turns of this chat. Their citations are left out: those lines are not shown to the model again. */
export function historyOf(context: vscode.ChatContext): Turn[] {
	return turnsIn(context.history);
}

function turnsIn(history: vscode.ChatContext["history"]): Turn[] {
	const turns: Turn[] = [];
	let question: string | undefined;
	for (const turn of history) {
		if (turn instanceof vscode.ChatRequestTurn) {
			question = turn.prompt;
		} else if (question !== undefined) {
			turns.push({ question, answer: answerOf(turn) });
			question = undefined;
		}
	}
	return turns.filter(({ answer }) => answer !== "");
}

/** The turns that the Copilot CLI has not seen: those since it answered last. */
export function historySinceCli(context: vscode.ChatContext): Turn[] {
	const last = context.history.findLastIndex(
		(turn) => turn instanceof vscode.ChatRequestTurn && turn.command === "cli",
	);
	// Its own answer stands behind its question.
	return turnsIn(context.history.slice(last < 0 ? 0 : last + 2));
}

/** The session that this chat goes on with; a turn that failed has none of its own. */
export function sessionIdOf(context: vscode.ChatContext): string | undefined {
	const records = context.history.flatMap((turn) =>
		turn instanceof vscode.ChatResponseTurn ? (recordOf(turn) ?? []) : [],
	);
	return records.at(-1)?.sessionId;
}

function answerOf(turn: vscode.ChatResponseTurn): string {
	return withoutCitations(recordOf(turn)?.answer ?? markdownOf(turn)).trim();
}

/** Metadata comes back as whatever JSON made of it. */
function recordOf(turn: vscode.ChatResponseTurn): TurnRecord | undefined {
	const metadata: unknown = turn.result.metadata;
	const isOurs = typeof metadata === "object" && metadata !== null && "sessionId" in metadata;
	return isOurs ? (metadata as TurnRecord) : undefined;
}

function markdownOf(turn: vscode.ChatResponseTurn): string {
	return turn.response
		.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""))
		.join("");
}

function withoutCitations(text: string): string {
	return citationsIn(text).reduceRight(
		(rest, { offset, length }) => rest.slice(0, offset).trimEnd() + rest.slice(offset + length),
		text,
	);
}
