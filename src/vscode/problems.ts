import * as vscode from "vscode";
import { visibleText } from "../base/text/visibleText.ts";
import type { FileProblem } from "../core/fileProblem.ts";
import type { Problem } from "../core/knowledge/document.ts";
import { translated } from "./l10n.ts";
import { lineOf } from "./treeLines.ts";

export const WARNING = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

export const ERROR = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));

export function openAt(uri: string, line = 1): vscode.Command {
	const selection = new vscode.Range(line - 1, 0, line - 1, 0);
	const open = [vscode.Uri.parse(uri), { selection }];
	return { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: open };
}

export function problemLine({ severity, uri, line, message }: FileProblem): {
	readonly item: vscode.TreeItem;
} {
	const told = visibleText(translated(message));
	const item = lineOf(told, {
		icon: severity === "error" ? ERROR : WARNING,
		description: vscode.l10n.t("line {0}", line),
		tooltip: told,
		command: openAt(uri, line),
	});
	return { item };
}

/** Shows problems of several files, and none but these. */
export function showProblems(collection: vscode.DiagnosticCollection, problems: readonly FileProblem[]) {
	collection.clear();
	for (const [uri, found] of Map.groupBy(problems, (problem) => problem.uri)) {
		const shown = found.map(({ line, ...problem }) =>
			toDiagnostic({ ...problem, lines: { start: line, end: line } }),
		);
		collection.set(vscode.Uri.parse(uri), shown);
	}
}

export function toDiagnostic({ severity, message, lines }: Problem): vscode.Diagnostic {
	const range = new vscode.Range(lines.start - 1, 0, lines.start - 1, Number.MAX_SAFE_INTEGER);
	const { Error: error, Warning: warning, Information: info } = vscode.DiagnosticSeverity;
	const level = { error, warning, info }[severity];
	const diagnostic = new vscode.Diagnostic(range, translated(message), level);
	diagnostic.source = "Copilot-LD";
	return diagnostic;
}
