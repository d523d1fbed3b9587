import * as vscode from "vscode";
import type { AskUser, UserQuestion } from "../../core/agent/userQuestion.ts";

const TITLE = "The Copilot CLI asks";

/** Asks in the middle of the window, one question after the other: a second one would close the first. */
export function createAskUser(): AskUser {
	let before: Promise<unknown> = Promise.resolve();
	return (question, signal) => {
		const answer = before.then(() => askOne(question, signal));
		before = answer.catch(() => undefined);
		return answer;
	};
}

async function askOne(question: UserQuestion, signal: AbortSignal): Promise<string | undefined> {
	signal.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
	const input = question.choices.length === 0 ? freeInput(resolve) : choicePick(question, resolve);
	input.title = TITLE;
	input.prompt = question.question;
	// The person may look something up first.
	input.ignoreFocusOut = true;
	input.onDidHide(() => resolve(undefined));
	const withdraw = () => reject(signal.reason);
	signal.addEventListener("abort", withdraw);
	input.show();
	try {
		return await promise;
	} finally {
		signal.removeEventListener("abort", withdraw);
		input.dispose();
	}
}

type Answer = (answer: string) => void;

function freeInput(answer: Answer): vscode.InputBox {
	const input = vscode.window.createInputBox();
	input.placeholder = "Your answer";
	input.onDidAccept(() => {
		if (input.value.trim() !== "") answer(input.value.trim());
	});
	return input;
}

function choicePick({ choices, allowFreeform }: UserQuestion, answer: Answer): vscode.QuickPick<AnswerItem> {
	const pick = vscode.window.createQuickPick<AnswerItem>();
	const given = choices.map((choice): AnswerItem => ({ label: withoutIcons(choice), answer: choice }));
	pick.items = given;
	pick.placeholder = allowFreeform ? "Choose, or type another answer" : "Choose an answer";
	pick.onDidChangeValue((value) => {
		if (allowFreeform) pick.items = [...given, ...ownAnswer(value.trim())];
	});
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		if (chosen) answer(chosen.answer);
	});
	return pick;
}

interface AnswerItem extends vscode.QuickPickItem {
	readonly answer: string;
}

function ownAnswer(answer: string): AnswerItem[] {
	const label = withoutIcons(answer);
	return answer === "" ? [] : [{ label, description: "Your own answer", answer, alwaysShow: true }];
}

/** A label shows `$(name)` as an icon, which a model could take for a sign of ours. */
function withoutIcons(text: string): string {
	return text.replaceAll("$(", "$\u200B(");
}
