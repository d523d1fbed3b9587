import * as vscode from "vscode";

export function numeral(count: number): string {
	return count.toLocaleString(vscode.env.language);
}

/** `1 passage`, `1,234 passages`. */
export const amounts = {
	characters: (count: number) =>
		count === 1 ? vscode.l10n.t("1 character") : vscode.l10n.t("{0} characters", numeral(count)),
	documents: (count: number) =>
		count === 1 ? vscode.l10n.t("1 document") : vscode.l10n.t("{0} documents", numeral(count)),
	files: (count: number) =>
		count === 1 ? vscode.l10n.t("1 file") : vscode.l10n.t("{0} files", numeral(count)),
	graphs: (count: number) =>
		count === 1 ? vscode.l10n.t("1 graph") : vscode.l10n.t("{0} graphs", numeral(count)),
	passages: (count: number) =>
		count === 1 ? vscode.l10n.t("1 passage") : vscode.l10n.t("{0} passages", numeral(count)),
	problems: (count: number) =>
		count === 1 ? vscode.l10n.t("1 problem") : vscode.l10n.t("{0} problems", numeral(count)),
	resources: (count: number) =>
		count === 1 ? vscode.l10n.t("1 resource") : vscode.l10n.t("{0} resources", numeral(count)),
	statements: (count: number) =>
		count === 1 ? vscode.l10n.t("1 statement") : vscode.l10n.t("{0} statements", numeral(count)),
	tests: (count: number) =>
		count === 1 ? vscode.l10n.t("1 test") : vscode.l10n.t("{0} tests", numeral(count)),
	tokens: (count: number) =>
		count === 1 ? vscode.l10n.t("1 token") : vscode.l10n.t("{0} tokens", numeral(count)),
	turns: (count: number) =>
		count === 1 ? vscode.l10n.t("1 turn") : vscode.l10n.t("{0} turns", numeral(count)),
};
