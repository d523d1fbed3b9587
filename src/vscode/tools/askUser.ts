import * as vscode from "vscode";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { AskUser, UserQuestion } from "../../core/agent/userQuestion.ts";
import type { Question, Questions } from "../permissions/questions.ts";

const LISTED = 80;

/** Asks in the middle of the window for a session; the question waits among the others of the window. */
export function createAskUser(questions: Questions, session: string): AskUser {
	return async (question, signal) => {
		const asked = {
			who: vscode.l10n.t("{0} asks", questions.whoIs(session)),
			what: boundedText(visibleText(question.question), LISTED),
			open: () => openPick(question),
		};
		return (await questions.ask(asked, signal)).words;
	};
}

interface Answer {
	/** Absent if the user does not want to answer. */
	readonly words?: string;
}

function openPick(question: UserQuestion): ReturnType<Question<Answer>["open"]> {
	const { promise: answer, resolve } = Promise.withResolvers<Answer | undefined>();
	const pick = vscode.window.createQuickPick<vscode.QuickPickItem & Answer>();
	const { choices, allowFreeform } = question;
	const given = choices.map((words) => ({ label: visibleText(words), words }));
	pick.prompt = visibleText(question.question);
	pick.placeholder = placeholderFor(question);
	pick.buttons = [
		{ iconPath: new vscode.ThemeIcon("circle-slash"), tooltip: vscode.l10n.t("Do Not Answer") },
	];
	pick.items = given;
	// The user may look something up first.
	pick.ignoreFocusOut = true;
	pick.onDidChangeValue((value) => {
		const words = value.trim();
		const description = vscode.l10n.t("Your own answer");
		const own = { label: visibleText(words), description, words, alwaysShow: true };
		if (allowFreeform) pick.items = words === "" ? given : [...given, own];
	});
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		if (chosen) resolve(chosen);
	});
	pick.onDidTriggerButton(() => resolve({}));
	pick.onDidHide(() => resolve(undefined));
	return { pick, answer };
}

function placeholderFor({ choices, allowFreeform }: UserQuestion): string {
	if (choices.length === 0) return vscode.l10n.t("Enter your answer");
	if (allowFreeform) return vscode.l10n.t("Select an answer, or type another one");
	return vscode.l10n.t("Select an answer");
}
