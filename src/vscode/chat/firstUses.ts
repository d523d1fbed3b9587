import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Citation } from "../../core/knowledge/citation.ts";
import { locationOf } from "../folders.ts";

/** Sees what a person has done for the first time, in whatever way; the steps of the walkthrough tick by it. */
export interface FirstUses extends vscode.Disposable {
	/** An answer was given, which rests on these. */
	answered(citations: readonly Citation[]): void;
	/** Opens what the last answer rests on. */
	openSources(): Promise<void>;
}

export function createFirstUses(): FirstUses {
	let last: readonly vscode.Location[] = [];
	const noteOpened = (editor: vscode.TextEditor | undefined) => {
		const uri = editor?.document.uri.toString();
		if (last.some((source) => source.uri.toString() === uri)) note("hasOpenedSource");
	};
	const listening = vscode.window.onDidChangeActiveTextEditor(noteOpened);
	return {
		answered: (citations) => {
			note("hasAsked");
			if (citations.length > 0) last = citations.flatMap((citation) => locationOf(citation) ?? []);
		},
		openSources: async () => {
			const [first] = last;
			if (!first)
				throw new Failure(
					"NOT_FOUND",
					vscode.l10n.t("There is no answer with sources in this window yet. Ask a question first."),
				);
			await vscode.window.showTextDocument(first.uri, { selection: first.range });
		},
		dispose: () => listening.dispose(),
	};
}

function note(use: string): void {
	void vscode.commands.executeCommand("setContext", `copilot-ld.${use}`, true);
}
