import * as vscode from "vscode";
import { type LineRange, overlap, type Place } from "../../core/knowledge/citation.ts";
import type { KnowledgeReader, ReadPart } from "../../core/knowledge/knowledge.ts";
import { signalOf } from "../cancellation.ts";
import { EXTRACTED_SCHEME, hasEditor, sourceOf } from "../folders.ts";
import { registerEach } from "../registerEach.ts";

const CHARACTERS = 20_000_000;

/** Shows the text extracted from files that no editor opens, read-only, with the cited span marked. */
export function registerExtractedView(knowledge: KnowledgeReader): vscode.Disposable {
	const texts = new Map<string, ExtractedText>();
	const selector = { scheme: EXTRACTED_SCHEME };
	const mark = vscode.window.createTextEditorDecorationType({
		isWholeLine: true,
		backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
		// High-contrast themes have no such background.
		borderWidth: "0 0 0 3px",
		borderStyle: "solid",
		borderColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
		overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
	});
	const spanOf = ({ uri }: vscode.TextDocument): LineRange | undefined => {
		const { place } = sourceOf(uri);
		return place && texts.get(uri.toString())?.linesOf(place);
	};
	const show = (editors: readonly vscode.TextEditor[]) => {
		for (const editor of editors) {
			const span = editor.document.uri.scheme === EXTRACTED_SCHEME && spanOf(editor.document);
			if (span) reveal(editor, span, mark);
		}
	};
	return vscode.Disposable.from(
		mark,
		vscode.workspace.registerTextDocumentContentProvider(EXTRACTED_SCHEME, {
			provideTextDocumentContent: async (uri, token) => {
				const target = sourceOf(uri).file.toString();
				const query = { target, maxCharacters: CHARACTERS, channel: "chat" } as const;
				const text = renderParts((await knowledge.read(query, signalOf(token))).parts);
				texts.set(uri.toString(), text);
				return text.text;
			},
		}),
		vscode.window.onDidChangeVisibleTextEditors(show),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
		vscode.languages.registerCodeLensProvider(selector, {
			provideCodeLenses: (document) => lensesOf(document, spanOf(document)),
		}),
		registerEach({
			"copilot-ld.openOriginal": (uri?: vscode.Uri) =>
				openOriginal(uri ?? vscode.window.activeTextEditor?.document.uri),
		}),
	);
}

/** Scrolls to the span when an editor is first shown. Later, the user's own position and selection stay. */
function reveal(editor: vscode.TextEditor, span: LineRange, mark: vscode.TextEditorDecorationType): void {
	const { start, end } = span;
	const range = new vscode.Range(start, 0, end, 0);
	editor.setDecorations(mark, [range]);
	editor.selection = new vscode.Selection(start, 0, start, 0);
	editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function lensesOf({ uri }: vscode.TextDocument, span: LineRange | undefined): vscode.CodeLens[] {
	const command = {
		command: "copilot-ld.openOriginal",
		title: vscode.l10n.t("Open Original"),
		arguments: [uri],
	};
	const lines = new Set([0, span?.start ?? 0]);
	return [...lines].map((line) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
}

async function openOriginal(uri: vscode.Uri | undefined): Promise<void> {
	if (uri?.scheme !== EXTRACTED_SCHEME) return;
	const { file } = sourceOf(uri);
	const { uiKind, remoteName } = vscode.env;
	const isHere = uiKind === vscode.UIKind.Desktop && remoteName === undefined;
	if (hasEditor(file) || !isHere || !(await vscode.env.openExternal(file)))
		await vscode.commands.executeCommand("vscode.open", file);
}

type ExtractedText = ReturnType<typeof renderParts>;

export function renderParts(parts: readonly ReadPart[]) {
	const lines: string[] = [];
	const shown = parts.map(({ lines: place, text }, index) => {
		const name = place.part;
		if (name !== undefined && name !== parts[index - 1]?.lines.part) {
			if (lines.length > 0) lines.push("");
			lines.push(`── ${name} ──`, "");
		}
		const at = lines.length;
		const own = text.split("\n");
		lines.push(...own);
		return { place, at, height: own.length };
	});
	return {
		text: lines.join("\n"),
		/** Lines of the text, from 0; `undefined` if no part of the place is shown. */
		linesOf: (place: Place): LineRange | undefined => {
			const found = shown.find((each) => overlap(each.place, place) > 0);
			if (!found) return undefined;
			const { at, height, place: whole } = found;
			const clamp = (line: number) => at + Math.max(0, Math.min(height - 1, line - whole.start));
			return { start: clamp(place.start), end: clamp(place.end) };
		},
	};
}
