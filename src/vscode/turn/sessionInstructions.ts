import { l10n } from "vscode";
import { Failure, ifThere } from "../../base/failure.ts";
import { quoteMarkdown } from "../../base/text/visibleText.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import type { SessionJournals } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";
import { amounts, numeral } from "../l10n.ts";
import type { Answer } from "./turnRecord.ts";

export type SessionInstructions = ReturnType<typeof createSessionInstructions>;

/** Maximum characters: every request of the session includes the instructions. */
const LONGEST = 4000;

export function createSessionInstructions(sessions: SessionJournals) {
	return {
		of: async (session: string, signal: AbortSignal) =>
			(await ifThere(async () => (await sessions.read(session, signal)).instructions)) ?? "",
		/** Replaces the instructions in the session's journal; an empty text removes them. */
		set: async (session: string, text: string, signal: AbortSignal) => {
			const tooLong = l10n.t(
				"Instructions can have up to {0}, but these have {1}. Put the rest into a file and attach it.",
				amounts.characters(LONGEST),
				numeral(text.length),
			);
			if (text.length > LONGEST) throw new Failure("BAD_INPUT", tooLong);
			const at = Date.now();
			const entry: JournalEntry = { kind: "instructions", at, text };
			const isKept = await ifThere(async () => {
				await sessions.append(session, [entry], signal);
				return true;
			});
			if (isKept) return;
			const first: JournalEntry = { kind: "session", at, engine: "model", workspace: workspaceUri() };
			await sessions.append(session, [first, entry], signal);
		},
	};
}

/** Answers `/instructions`: sets, shows or removes (`none`) the instructions for every answer in a chat. */
export const answerInstructions: Answer<SessionInstructions> = async (instructions, turn, signal) => {
	const { prompt, session, stream } = turn;
	if (prompt === "") {
		const current = await instructions.of(session, signal);
		stream.markdown(
			current === ""
				? l10n.t(
						"This chat has no instructions. Write `/instructions` followed by what every answer here should follow.",
					)
				: l10n.t(
						"These instructions apply to this chat until you write others or `/instructions none`:\n\n{0}",
						quoteMarkdown(current),
					),
		);
		return;
	}
	const text = prompt.toLowerCase() === "none" ? "" : prompt;
	await instructions.set(session, text, signal);
	stream.markdown(
		text === ""
			? l10n.t("The instructions of this chat were removed.")
			: l10n.t(
					"From now on, every answer in this chat follows these instructions, on either engine:\n\n{0}",
					quoteMarkdown(text),
				),
	);
};
