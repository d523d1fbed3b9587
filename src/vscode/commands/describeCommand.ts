import * as vscode from "vscode";
import { type DescribeReport, describeDocuments } from "../../agent/describe/describeDocuments.ts";
import { isFailure, messageOf } from "../../base/failure.ts";
import type { Descriptions } from "../../core/knowledge/descriptor.ts";
import { signalOf } from "../cancellation.ts";
import { isLimit } from "../chat/chatFailure.ts";
import { pickModel } from "../models/chooseModel.ts";
import { toModel } from "../models/languageModel.ts";

const TITLE = "Describe Documents";
const JUSTIFICATION = "To describe documents of this workspace, so that they are found in other words.";

/** Requests that are proposed at most. */
const PROPOSED = 50;

/** Lets the person's model describe as many documents as they allow; what has a description is not described again. */
export async function runDescribeCommand(descriptions: Descriptions): Promise<DescribeReport | undefined> {
	const total = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Window },
		async (_, token) => (await descriptions.undescribed(0, signalOf(token))).total,
	);
	if (total === 0) {
		void vscode.window.showInformationMessage(
			"Copilot-LD: every document in the index that the chat may see has its description.",
		);
		return undefined;
	}
	const chat = await pickModel(TITLE);
	const budget = chat && (await askBudget(total, chat.name));
	if (!chat || budget === undefined) return undefined;
	const model = toModel(chat, JUSTIFICATION);
	const title = `Copilot-LD: ${chat.name} describes documents`;
	const report = await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
		(progress, token) => {
			const onProgress = (done: number) =>
				progress.report({ message: `${done} of ${budget}`, increment: 100 / budget });
			return describeDocuments(
				{ descriptions, model, budget, isLasting, report: onProgress },
				signalOf(token),
			);
		},
	);
	show(report);
	return report;
}

/** How many requests the person allows; `undefined` where they change their mind. */
async function askBudget(total: number, model: string): Promise<number | undefined> {
	const answer = await vscode.window.showInputBox({
		title: TITLE,
		prompt: `${countOf(total)} no description. How many may be described now? The beginning of each is sent to ${model}, in a request of its own.`,
		value: `${Math.min(total, PROPOSED)}`,
		validateInput: (value) => (isBudget(value) ? undefined : "Write a whole number of documents, from 1."),
	});
	return answer === undefined ? undefined : Math.min(total, Number(answer));
}

export function isBudget(text: string): boolean {
	return /^\s*[1-9]\d*\s*$/.test(text);
}

function show(report: DescribeReport): void {
	const words = `Copilot-LD: ${describeReport(report)}`;
	// Not waited for: the command is over, whenever the person closes the message.
	if (report.stoppedBy === undefined) void vscode.window.showInformationMessage(words);
	else void vscode.window.showErrorMessage(words);
}

/** What a person must know of a run. */
export function describeReport({ described, refused, left, stoppedBy }: DescribeReport): string {
	return [
		...(stoppedBy === undefined ? [] : [troubleOf(stoppedBy)]),
		described === 1
			? "1 document was described."
			: `${described.toLocaleString("en")} documents were described.`,
		...(refused > 0 ? [`For ${refused.toLocaleString("en")} the model gave no usable answer.`] : []),
		...(left > 0 ? [`${countOf(left)} no description yet: run the command again to go on.`] : []),
	].join(" ");
}

function troubleOf(thrown: unknown): string {
	if (isFailure(thrown)) return thrown.message;
	return isForbidden(thrown)
		? "Copilot-LD may not use this language model. Allow it, or choose another one."
		: `The language model failed: ${messageOf(thrown)}`;
}

/** Of a model that is gone and of one that may not be used, the next request hears the same. */
function isLasting(thrown: unknown): boolean {
	const { NotFound } = vscode.LanguageModelError;
	const isGone = thrown instanceof vscode.LanguageModelError && thrown.code === NotFound.name;
	return isLimit(thrown) || isForbidden(thrown) || isGone;
}

function isForbidden(thrown: unknown): boolean {
	const { LanguageModelError } = vscode;
	return thrown instanceof LanguageModelError && thrown.code === LanguageModelError.NoPermissions.name;
}

function countOf(documents: number): string {
	return documents === 1 ? "1 document has" : `${documents.toLocaleString("en")} documents have`;
}
