import * as vscode from "vscode";
import type { AskPerson, PersonsAnswer, PersonsQuestion } from "../../acp/turn/permissionDesk.ts";
import { messageOf } from "../../base/failure.ts";
import type { CliChanges } from "./changes.ts";

interface AnswerItem extends vscode.QuickPickItem {
	/** Absent of the one that shows the change first. */
	readonly answer?: PersonsAnswer;
}

/** Asks the person in a quick pick, which waits and works by keyboard. Whoever closes it denies the call. */
export function createPermissionPick(changes: CliChanges): AskPerson {
	return (question, signal) => {
		const { promise, resolve, reject } = Promise.withResolvers<PersonsAnswer>();
		const pick = vscode.window.createQuickPick<AnswerItem>();
		pick.title = `Copilot CLI · ${question.request.tool}`;
		pick.placeholder = question.request.title;
		pick.ignoreFocusOut = true;
		pick.items = itemsFor(question, changes.has(question.callId));
		const cancel = () => reject(signal.reason);
		signal.addEventListener("abort", cancel);
		pick.onDidAccept(() => {
			const [item] = pick.selectedItems;
			if (item?.answer) resolve(item.answer);
			else if (item) changes.open(question.callId).catch(report);
		});
		pick.onDidHide(() => resolve("reject"));
		pick.show();
		return promise.finally(() => {
			signal.removeEventListener("abort", cancel);
			pick.dispose();
		});
	};
}

/** The change cannot be shown; the question stands. */
function report(thrown: unknown): void {
	void vscode.window.showErrorMessage(messageOf(thrown));
}

function itemsFor({ offers, request }: PersonsQuestion, hasChange: boolean): AnswerItem[] {
	const what = offers[0]?.frees ?? "";
	const rules: AnswerItem[] = [
		{ label: "Allow in This Session", description: what, answer: "session" },
		{ label: "Allow in This Workspace", description: what, answer: "workspace" },
		{ label: "Always Allow", description: what, answer: "always" },
	];
	return [
		{ label: "$(check) Allow Once", detail: request.title, answer: "once" },
		...(offers.length > 0 ? rules : []),
		...(hasChange ? [{ label: "$(diff) Show the Change" }] : []),
		{ label: "$(circle-slash) Deny", description: "The CLI goes on without", answer: "reject" },
		{ label: "$(debug-stop) Deny and Stop", description: "Ends the turn", answer: "rejectAndStop" },
	];
}
