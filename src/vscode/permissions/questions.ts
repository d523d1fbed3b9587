import * as vscode from "vscode";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import { counted } from "../l10n.ts";
import { registerEach } from "../registerEach.ts";
import { createQuestionQueue, type QuestionQueue } from "./questionQueue.ts";

export type Questions = ReturnType<typeof registerQuestions>;

const COMMAND = "copilot-ld.showQuestions";
const SHOW = vscode.l10n.t("Show");
/** Characters of a session's words. */
const WORDS_SHOWN = 60;

export function registerQuestions() {
	const names = new Map<string, string>();
	const item = vscode.window.createStatusBarItem("copilot-ld.questions", vscode.StatusBarAlignment.Left);
	item.name = vscode.l10n.t("Copilot-LD Questions");
	item.command = COMMAND;
	item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
	const queue = createQuestionQueue(() => tell());
	const remind = createReminder(queue);
	const tell = () => {
		const count = queue.waiting().length;
		item.text = `$(question) ${countText(count)}`;
		item.tooltip = queue
			.waiting()
			.map(({ who, what }) => `${what} (${who})`)
			.join("\n");
		if (count > 0) item.show();
		else item.hide();
		remind();
	};
	const commands = registerEach({
		"copilot-ld.showQuestions": () => showQuestions(queue),
	});
	return {
		ask: queue.ask,
		/** Names a session for the user: by their last question in it. */
		name: (session: string, words: string) =>
			void names.set(session, boundedText(visibleText(words), WORDS_SHOWN)),
		/** The user's name for the session; in a chain, also the agent. */
		whoIs: (session = "", agent = "Copilot CLI") => {
			const words = names.get(session);
			const who = boundedText(visibleText(agent), WORDS_SHOWN);
			return words === undefined ? who : `${who}, “${words}”`;
		},
		dispose: () => vscode.Disposable.from(item, commands).dispose(),
	};
}

function createReminder(queue: QuestionQueue): () => void {
	let told = 0;
	return () => {
		const count = queue.waiting().length;
		const isNew = queue.isHidden() && count > told;
		told = queue.isHidden() ? count : 0;
		if (!isNew) return;
		const text = `Copilot-LD: ${countText(count)}. ${vscode.l10n.t("Nothing is denied until you decide.")}`;
		void vscode.window.showInformationMessage(text, SHOW).then((pressed) => {
			if (pressed === SHOW) void showQuestions(queue);
		});
	};
}

/** Shows the waiting question; if there are several, the user chooses the first. */
async function showQuestions(queue: QuestionQueue): Promise<void> {
	const waiting = [...queue.waiting()];
	if (waiting.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t("Copilot-LD: no questions are waiting."));
		return;
	}
	if (waiting.length === 1) return queue.show();
	const items = waiting.map(({ id, who, what }) => ({ id, label: what, description: who }));
	const chosen = await vscode.window.showQuickPick(items, {
		placeHolder: vscode.l10n.t("Select a question to answer"),
	});
	if (chosen) queue.show(chosen.id);
}

const countText = counted(
	vscode.l10n.t("1 question is waiting for you"),
	vscode.l10n.t("{0} questions are waiting for you"),
);
