import * as vscode from "vscode";
import { quoteMarkdown } from "../../base/text/visibleText.ts";
import type { SessionInstructions } from "../turn/sessionInstructions.ts";
import type { ChatTurn } from "../turn/turnRecord.ts";

/** `/instructions`: sets or shows the user's instructions for every answer in this chat; `none` removes them. */
export async function answerInstructions(
	instructions: SessionInstructions,
	{ prompt, session, stream }: ChatTurn,
	signal: AbortSignal,
): Promise<void> {
	if (prompt === "") {
		const current = await instructions.of(session, signal);
		stream.markdown(
			current === ""
				? vscode.l10n.t(
						"This chat has no instructions. Write `/instructions` followed by what every answer here should follow.",
					)
				: vscode.l10n.t(
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
			? vscode.l10n.t("The instructions of this chat were removed.")
			: vscode.l10n.t(
					"From now on, every answer in this chat follows these instructions, on either engine:\n\n{0}",
					quoteMarkdown(text),
				),
	);
}
