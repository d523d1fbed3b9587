import * as vscode from "vscode";
import type { Orchestrator } from "../../orchestrator/orchestrator.ts";
import type { Selection } from "../../orchestrator/select/selectAgents.ts";
import { numeral, translated } from "../l10n.ts";

export interface SelectionNote {
	readonly isChosen: boolean;
	readonly prompt: string;
	/** Shown to the user, one line each. */
	readonly reasons: readonly string[];
}

export interface SelectionNotes extends vscode.Disposable {
	noteSelection(prompt: string, selection: Selection): void;
	/** `undefined` if nothing was selected yet, or the agent was not considered. */
	noteOf(name: string): SelectionNote | undefined;
	readonly onDidChange: vscode.Event<void>;
}

export function noting(orchestrator: Orchestrator, { noteSelection }: SelectionNotes): Orchestrator {
	return {
		...orchestrator,
		judge: async (prompt, scope, signal) => {
			const judged = await orchestrator.judge(prompt, scope, signal);
			noteSelection(prompt, judged.selection);
			return judged;
		},
		plan: async (asked, signal) => {
			const draft = await orchestrator.plan(asked, signal);
			if (draft.isSelected) noteSelection(asked.prompt, draft.selection);
			return draft;
		},
	};
}

export function createSelectionNotes(): SelectionNotes {
	const changed = new vscode.EventEmitter<void>();
	let last: { readonly prompt: string; readonly selection: Selection } | undefined;
	return {
		noteSelection: (prompt, selection) => {
			last = { prompt, selection };
			changed.fire();
		},
		noteOf: (name) => {
			const ranked = last?.selection.ranked.find(({ agent }) => agent.name === name);
			if (!last || !ranked) return undefined;
			const isChosen = last.selection.chosen.some(({ agent }) => agent.name === name);
			const reasons = [
				vscode.l10n.t("Fits with {0} of 1", numeral(ranked.score)),
				...ranked.because.map(translated),
				translated(last.selection.rationale),
			];
			return { isChosen, prompt: last.prompt, reasons };
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}
