import * as vscode from "vscode";
import { isFailure } from "../../base/failure.ts";
import type { Turn } from "../../core/agent/agentEvent.ts";
import { historyTurn, isQuoted } from "../../core/agent/turnAnswer.ts";
import { type Citation, piecesOf } from "../../core/knowledge/citation.ts";
import type { Sessions } from "../../core/session/session.ts";
import { toldOf } from "../l10n.ts";
import type { TurnRecord } from "./turnRecord.ts";

/** Returns earlier turns of the chat and its resumed session, without citations and quoted answers. */
export async function historyOf(
	context: vscode.ChatContext,
	sessions: Sessions,
	signal: AbortSignal,
): Promise<{ readonly turns: readonly Turn[]; readonly notice?: string }> {
	const resumedAt = context.history.findLastIndex(isResumption);
	const since = turnsIn(context.history.slice(resumedAt + 1));
	try {
		const earlier = await resumedTurns(recordOf(context.history[resumedAt]), sessions, signal);
		return { turns: [...earlier, ...since] };
	} catch (thrown) {
		if (!isFailure(thrown)) throw thrown;
		return {
			turns: since,
			notice: vscode.l10n.t("The resumed session could not be read: {0}", toldOf(thrown)),
		};
	}
}

function turnsIn(history: vscode.ChatContext["history"]): Turn[] {
	const turns = history.flatMap((turn, at) => {
		const asked = history[at - 1];
		if (!(asked instanceof vscode.ChatRequestTurn) || turn instanceof vscode.ChatRequestTurn) return [];
		const { answer = "", isQuoted = false } = recordOf(turn) ?? {};
		return historyTurn({ question: asked.prompt, answer: withoutCitations(answer) }, isQuoted);
	});
	return turns.filter(({ answer }) => answer !== "");
}

/** Returns the turns that the Copilot CLI has not seen: the turns since its last answer or the resumption. */
export function historySinceCli({ history }: vscode.ChatContext): Turn[] {
	const asked = history.findLastIndex(
		(turn) => turn instanceof vscode.ChatRequestTurn && turn.command === "cli",
	);
	const resumedAt = history.findLastIndex(isResumption);
	// Skips the CLI's last question and the answer after it.
	if (asked >= resumedAt) return turnsIn(history.slice(asked < 0 ? 0 : asked + 2));
	const { unseenByCli: before = [] } = recordOf(history[resumedAt]) ?? {};
	return [...before, ...turnsIn(history.slice(resumedAt + 1))];
}

export function citedIn({ history }: vscode.ChatContext): Citation[] {
	return history.flatMap((turn) => recordOf(turn)?.citations ?? []);
}

type PastTurn = vscode.ChatContext["history"][number];

function isResumption(turn: PastTurn): boolean {
	return recordOf(turn)?.resumedTurns !== undefined;
}

async function resumedTurns(record: TurnRecord | undefined, sessions: Sessions, signal: AbortSignal) {
	if (!record) return [];
	const { turns } = await sessions.read(record.sessionId, signal);
	return turns
		.slice(0, record.resumedTurns)
		.map(({ question, answer, events }) =>
			historyTurn({ question, answer: withoutCitations(answer) }, isQuoted(events)),
		)
		.filter(({ answer }) => answer !== "");
}

/** Returns the session that this chat continues, as recorded in the chat's last turn with a record. */
export function sessionIdOf({ history }: vscode.ChatContext): string | undefined {
	return recordOf(history.findLast(recordOf))?.sessionId;
}

/** Returns the record of one of our turns; `undefined` for any other. Metadata is plain JSON. */
function recordOf(turn: PastTurn | undefined): TurnRecord | undefined {
	const metadata: unknown = turn instanceof vscode.ChatResponseTurn ? turn.result.metadata : undefined;
	const isOurs = typeof metadata === "object" && metadata !== null && "sessionId" in metadata;
	return isOurs ? (metadata as TurnRecord) : undefined;
}

function withoutCitations(text: string): string {
	const words = piecesOf(text).map((piece) => (typeof piece === "string" ? piece.trimEnd() : ""));
	return words.join("").trim();
}
