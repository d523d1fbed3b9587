import * as vscode from "vscode";
import { l10n } from "vscode";
import { type DescribeReport, describeDocuments } from "../../agent/describe/describeDocuments.ts";
import type { Descriptions } from "../../core/knowledge/descriptor.ts";
import { withProgress } from "../cancellation.ts";
import { failureText, isLimit } from "../chat/chatFailure.ts";
import { counted, numeral } from "../l10n.ts";
import { modelTrouble, toModel } from "../models/languageModel.ts";
import { pickModel } from "../models/passagesModel.ts";

const TITLE = l10n.t("Describe Documents");
const JUSTIFICATION = l10n.t(
	"To describe the documents of this workspace, so that searches that use other words find them.",
);

const PROPOSED = 50;

export async function runDescribeCommand(descriptions: Descriptions): Promise<DescribeReport | undefined> {
	const { total } = await withProgress({}, (_, signal) => descriptions.undescribed(0, signal));
	if (total === 0) {
		void vscode.window.showInformationMessage(
			l10n.t("Copilot-LD: every indexed document that the chat may see has a description."),
		);
		return undefined;
	}
	const chat = await pickModel(TITLE);
	const budget = chat && (await askBudget(total, chat.name));
	if (!chat || budget === undefined) return undefined;
	const model = toModel(chat, JUSTIFICATION);
	const title = l10n.t("Copilot-LD: describing documents with {0}", chat.name);
	const report = await withProgress({ title, total: budget }, (tell, signal) => {
		const onProgress = (done: number) => tell(l10n.t("{0} of {1}", done, budget));
		return describeDocuments({ descriptions, model, budget, isLasting, report: onProgress }, signal);
	});
	const words = `Copilot-LD: ${describeReport(report)}`;
	// Not awaited: the command ends before the user closes the message.
	if (report.stoppedBy === undefined) void vscode.window.showInformationMessage(words);
	else void vscode.window.showErrorMessage(words);
	return report;
}

async function askBudget(total: number, model: string): Promise<number | undefined> {
	const answer = await vscode.window.showInputBox({
		title: TITLE,
		prompt: l10n.t(
			"Documents without a description: {0}. How many should be described now? The beginning of each is sent to {1}, in a separate request.",
			numeral(total),
			model,
		),
		value: `${Math.min(total, PROPOSED)}`,
		validateInput: (value) =>
			isBudget(value) ? undefined : l10n.t("Enter a whole number of documents, at least 1."),
	});
	return answer === undefined ? undefined : Math.min(total, Number(answer));
}

export function isBudget(text: string): boolean {
	return /^\s*[1-9]\d*\s*$/.test(text);
}

export function describeReport({ described, refused, left, stoppedBy }: DescribeReport): string {
	const parts = [
		stoppedBy !== undefined && failureText(stoppedBy),
		describedText(described),
		refused > 0 && l10n.t("Without a usable answer from the model: {0}.", numeral(refused)),
		left > 0 && l10n.t("Still without a description: {0}. Run the command again to continue.", numeral(left)),
	];
	return parts.filter(Boolean).join(" ");
}

const describedText = counted(l10n.t("1 document was described."), l10n.t("{0} documents were described."));

/** Whether the next request would fail too: the model is gone or forbidden, or a limit was reached. */
function isLasting(thrown: unknown): boolean {
	const trouble = modelTrouble(thrown);
	return isLimit(thrown) || trouble === "forbidden" || trouble === "gone";
}
