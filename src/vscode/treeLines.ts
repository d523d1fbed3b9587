import * as vscode from "vscode";
import { visibleText } from "../base/text/visibleText.ts";
import type { FileProblem } from "../core/fileProblem.ts";
import type { Problem } from "../core/knowledge/document.ts";
import { translated } from "./l10n.ts";

export interface TreeLine<Line> {
	readonly item: vscode.TreeItem;
	readonly children?: () => Promise<Line[]>;
}

interface LineParts {
	readonly icon?: vscode.ThemeIcon;
	readonly description?: string | undefined;
	readonly context?: string;
	/** Text for screen readers, in place of the visible text. */
	readonly said?: string;
	readonly command?: vscode.Command;
	readonly tooltip?: string;
	readonly id?: string;
}

export function lineOf(
	label: string,
	{ icon, description, context, said, ...rest }: LineParts,
	state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
	// By default, VS Code reads the tooltip of a line aloud, and not the text in the line.
	const shown = [label, description].filter((part) => part !== undefined && part !== "").join(", ");
	return Object.assign(new vscode.TreeItem(label, state), rest, {
		iconPath: icon,
		description,
		contextValue: context,
		accessibilityInformation: { label: said ?? shown },
	});
}

export function treeOf<Line extends TreeLine<Line>>(
	roots: () => Promise<Line[]>,
	onDidChangeTreeData: vscode.Event<void>,
): vscode.TreeDataProvider<Line> {
	return {
		onDidChangeTreeData,
		getTreeItem: ({ item }) => item,
		getChildren: (line) => (line ? line.children?.() : roots()),
	};
}

export const WARNING = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

export const ERROR = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));

export function openAt(uri: string, line = 1): vscode.Command {
	const selection = new vscode.Range(line - 1, 0, line - 1, 0);
	const open = [vscode.Uri.parse(uri), { selection }];
	return { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: open };
}

export function problemLine({ severity, uri, line, message }: FileProblem) {
	const told = visibleText(translated(message));
	const item = lineOf(told, {
		icon: severity === "error" ? ERROR : WARNING,
		description: vscode.l10n.t("line {0}", line),
		tooltip: told,
		command: openAt(uri, line),
	});
	return { item };
}

/** Replaces all shown problems. */
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
	return diagnosticAt(range, translated(message), { error, warning, info }[severity]);
}

export function diagnosticAt(
	range: vscode.Range,
	message: string,
	severity = vscode.DiagnosticSeverity.Warning,
): vscode.Diagnostic {
	return Object.assign(new vscode.Diagnostic(range, message, severity), { source: "Copilot-LD" });
}
