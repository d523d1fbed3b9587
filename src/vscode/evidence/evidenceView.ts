import * as vscode from "vscode";
import type { Citation } from "../../core/knowledge/citation.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import { locationOf } from "../folders.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import type { EvidenceLine } from "./evidenceText.ts";

const NAME = vscode.l10n.t("Evidence");

/** Shows lines in an editor, with links to where they stand. */
export interface EvidenceView extends vscode.Disposable {
	show(lines: readonly EvidenceLine[]): Promise<void>;
}

export function createEvidenceView(documents: Pick<VirtualDocuments, "open">): EvidenceView {
	let shown: readonly EvidenceLine[] = [];
	const styles = {
		// That of lists is no color in high contrast.
		remark: styled("editorWarning.foreground"),
		source: styled("descriptionForeground"),
	};
	const links = vscode.languages.registerDocumentLinkProvider(
		{ scheme: "copilot-ld", pattern: `**/${NAME}` },
		{
			provideDocumentLinks: () =>
				shown.flatMap(({ text, citation }, line) => {
					const target = citation && targetOf(citation);
					return target ? [new vscode.DocumentLink(rangeOf(text, line), target)] : [];
				}),
		},
	);
	return {
		show: async (lines) => {
			shown = lines;
			const editor = await documents.open(NAME, lines.map(({ text }) => text).join("\n"));
			for (const [kind, style] of Object.entries(styles))
				editor.setDecorations(
					style,
					lines.flatMap((line, index) => (line.kind === kind ? [rangeOf(line.text, index)] : [])),
				);
		},
		dispose: () => vscode.Disposable.from(links, ...Object.values(styles)).dispose(),
	};
}

function styled(color: string): vscode.TextEditorDecorationType {
	return vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(color) });
}

/** Without what it is indented by. */
function rangeOf(text: string, line: number): vscode.Range {
	return new vscode.Range(line, text.length - text.trimStart().length, line, text.length);
}

function targetOf(citation: Citation): vscode.Uri | undefined {
	const { start, end } = citation.lines;
	const uri = locationOf(citation)?.uri;
	return isExtracted(citation.path) ? uri : uri?.with({ fragment: `L${start}-${end}` });
}
