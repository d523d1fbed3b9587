import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import { locationOf } from "../folders.ts";

/** The target of a command: a file, lines of a file, a folder, or a resource. */
export interface Subject {
	readonly uri: vscode.Uri;
	readonly range?: vscode.Range;
	readonly label?: string;
	readonly iri?: string;
}

/** Returns the subject of a menu's target (in the Explorer, our view, or a hit), else of the active editor. */
export function subjectOf(target: unknown): Subject {
	if (target instanceof vscode.Uri) return selectionIn(target) ?? { uri: target };
	const pointed = subjectOfNode(target) ?? subjectOfHit(target);
	if (pointed) return pointed;
	const active = vscode.window.activeTextEditor?.document.uri;
	if (active?.scheme === "file") return selectionIn(active) ?? { uri: active };
	throw new Failure("BAD_INPUT", vscode.l10n.t("Open a file first, or select one in the Explorer."));
}

/** Returns the selection in a file. Menus of the editor and of the Explorer both pass the file. */
function selectionIn(uri: vscode.Uri): Subject | undefined {
	const editor = vscode.window.activeTextEditor;
	if (!editor || editor.selection.isEmpty || editor.document.uri.toString() !== uri.toString())
		return undefined;
	return { uri, range: editor.selection };
}

export function subjectOfNode(target: unknown): Subject | undefined {
	const { item, subject } = Object(target) as { readonly item?: unknown; readonly subject?: Subject };
	return item instanceof vscode.TreeItem ? subject : undefined;
}

function subjectOfHit(target: unknown): Subject | undefined {
	const { path, lines } = Object(target) as Partial<Hit>;
	const location = path !== undefined && lines ? locationOf({ path, lines }) : undefined;
	return location && { uri: location.uri, range: location.range };
}
