import * as vscode from "vscode";
import { numeral } from "./l10n.ts";

const SHOW_ALL = vscode.l10n.t("Show All");

/** Maximum number of lines in a dialog: more lines would hide the dialog's buttons. */
const MAX_LINES = 25;
const MAX_LINE_CHARACTERS = 400;

export async function isConfirmed(message: string, button: string, detail?: string): Promise<boolean> {
	const options = { modal: true, ...(detail !== undefined && { detail }) };
	return (await vscode.window.showWarningMessage(message, options, button)) === button;
}

/** Shows some lines and asks whether to continue. The user can read all lines first, however many. */
export async function confirmLines(message: string, lines: readonly string[], goOn: string) {
	const { text, isCut } = inShort(lines);
	const buttons = isCut ? [goOn, SHOW_ALL] : [goOn];
	const answer = await vscode.window.showWarningMessage(message, { modal: true, detail: text }, ...buttons);
	if (answer !== SHOW_ALL) return answer === goOn;
	const content = lines.join("\n\n");
	const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
	await vscode.window.showTextDocument(document);
	// A modal question would hide the document.
	return (await vscode.window.showWarningMessage(message, goOn)) === goOn;
}

function inShort(lines: readonly string[]): { readonly text: string; readonly isCut: boolean } {
	const shown = lines.slice(0, MAX_LINES).map((line) => {
		const left = line.length - MAX_LINE_CHARACTERS;
		return left > 0
			? `${line.slice(0, MAX_LINE_CHARACTERS)} … ${vscode.l10n.t("and {0} more characters: {1}", numeral(left), SHOW_ALL)}`
			: line;
	});
	const left = lines.length - shown.length;
	const isCut = left > 0 || lines.some(({ length }) => length > MAX_LINE_CHARACTERS);
	const more = left > 0 ? [`… ${vscode.l10n.t("and {0} more: {1}", numeral(left), SHOW_ALL)}`] : [];
	return { text: [...shown, ...more].join("\n"), isCut };
}
