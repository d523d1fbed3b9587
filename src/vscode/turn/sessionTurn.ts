import * as vscode from "vscode";
import type { Question, SessionJournal, TurnJournal } from "../../agent/journal/sessionJournal.ts";
import { messageOf } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { formatCitation } from "../../core/knowledge/citation.ts";
import type { CitedSpan, Outcome } from "../../core/session/journalEntry.ts";
import { isCancellation } from "../cancellation.ts";
import { toldOf } from "../l10n.ts";
import type { FailureLog } from "../logs.ts";
import { recordOf, type TurnRecord } from "./turnRecord.ts";

export type KeptTurn = Awaited<ReturnType<typeof keepTurn>>;

/** Without a journal, a turn is kept only while it runs. */
export async function keepTurn(
	journal: SessionJournal | undefined,
	{ session, question }: { readonly session: string; readonly question: Question },
	log: FailureLog,
	say: (markdown: string) => void = () => undefined,
) {
	const events: AgentEvent[] = [];
	let more: Partial<TurnRecord> = {};
	const current = (): TurnRecord => ({ ...recordOf(session, question.text, events), ...more });
	const tell = (thrown: unknown) => {
		log.error(thrown instanceof Error ? thrown : String(thrown));
		say(`\n\n> ${escapeMarkdown(vscode.l10n.t("This turn was not saved: {0}", toldOf(thrown)))}\n\n`);
	};
	let turn: TurnJournal | undefined;
	try {
		turn = await journal?.begin(session, question);
	} catch (thrown) {
		tell(thrown);
	}
	return {
		isWritten: journal !== undefined,
		/** When it was asked, as its journal has it; absent if it is not saved. */
		at: turn?.at,
		events,
		note: (event: AgentEvent) => {
			events.push(event);
			turn?.note(event);
		},
		add: (added: Partial<TurnRecord>) => {
			more = { ...more, ...added };
		},
		/** What it leaves in the chat's history; true at any time, also of a turn cut short. */
		current,
		/** Resolves when the turn is saved, or the user was told that it is not. */
		end: async (thrown?: unknown, spans: readonly CitedSpan[] = []) => {
			try {
				const how = thrown
					? failedBy(thrown)
					: { outcome: events.findLast((event) => event.kind === "ended")?.reason ?? "done" };
				await turn?.end({ text: wordsOf(current()), ...how, ...(spans.length > 0 && { spans }) });
			} catch (failure) {
				tell(failure);
			}
		},
	};
}

function failedBy(thrown: unknown): { readonly outcome: Outcome; readonly error?: string } {
	return isCancellation(thrown) ? { outcome: "cancelled" } : { outcome: "failed", error: messageOf(thrown) };
}

/** Where passages were shown and nothing was said, what was shown. */
export function wordsOf({ answer, citations }: TurnRecord): string {
	if (answer !== "") return answer;
	return citations.map((citation) => `- ${formatCitation(citation)}`).join("\n");
}
