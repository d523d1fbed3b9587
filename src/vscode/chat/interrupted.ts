import * as vscode from "vscode";
import { sendToChat } from "../models/passagesModel.ts";
import type { FolderReadiness, IndexWatch } from "../worker/readiness.ts";

const ASKING = "asking";
const INDEXING = "indexing";

const QUESTION_CHARACTERS = 80;

/** What a reload of the window cut short: indexing goes on by itself, and a question can be asked again. */
export function resumeInterrupted(state: vscode.Memento, watch: IndexWatch, readiness: FolderReadiness) {
	const question = state.get<string>(ASKING);
	const wasIndexing = state.get<boolean>(INDEXING);
	if (question !== undefined) void offerAgain(question);
	if (question !== undefined || wasIndexing)
		void readiness.ensure(() => undefined, new AbortController().signal).catch(() => undefined);
	void state.update(ASKING, undefined);
	let isIndexing = wasIndexing;
	const noting = watch.onDidChange(({ progress }) => {
		if (isIndexing === (progress !== undefined)) return;
		isIndexing = progress !== undefined;
		void state.update(INDEXING, isIndexing);
	});
	return {
		during: async <Answer>({ command, prompt }: vscode.ChatRequest, answer: () => Promise<Answer>) => {
			void state.update(ASKING, command ? `/${command} ${prompt}` : prompt);
			try {
				return await answer();
			} finally {
				void state.update(ASKING, undefined);
			}
		},
		dispose: () => noting.dispose(),
	};
}

async function offerAgain(question: string): Promise<void> {
	const again = vscode.l10n.t("Ask Again");
	const message = vscode.l10n.t(
		"Copilot-LD: the answer to “{0}” was interrupted.",
		question.slice(0, QUESTION_CHARACTERS),
	);
	if ((await vscode.window.showInformationMessage(message, again)) === again)
		await sendToChat(`@copilot-ld ${question}`);
}
