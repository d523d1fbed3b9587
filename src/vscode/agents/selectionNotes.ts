import * as vscode from "vscode";

/** What a selection of agents said of each; the orchestrator's is one. */
interface NotedSelection {
	readonly chosen: readonly { readonly agent: { readonly name: string } }[];
	readonly ranked: readonly {
		readonly agent: { readonly name: string };
		readonly score: number;
		readonly points: readonly { readonly points: number; readonly because: string }[];
	}[];
	/** In one line. */
	readonly rationale: string;
}

/** Why an agent was or was not chosen the last time. */
export interface SelectionNote {
	readonly isChosen: boolean;
	readonly prompt: string;
	/** In words for a person, one line each. */
	readonly reasons: readonly string[];
}

/** Remembers the last selection of this window. */
export interface SelectionNotes extends vscode.Disposable {
	noteSelection(prompt: string, selection: NotedSelection): void;
	/** `undefined` where nothing was selected yet, or the agent was not considered. */
	noteOf(name: string): SelectionNote | undefined;
	readonly onDidChange: vscode.Event<void>;
}

export function createSelectionNotes(): SelectionNotes {
	const changed = new vscode.EventEmitter<void>();
	let last: { readonly prompt: string; readonly selection: NotedSelection } | undefined;
	return {
		noteSelection: (prompt, selection) => {
			last = { prompt, selection };
			changed.fire();
		},
		noteOf: (name) => {
			const ranked = last?.selection.ranked.find(({ agent }) => agent.name === name);
			if (!last || !ranked) return undefined;
			const isChosen = last.selection.chosen.some(({ agent }) => agent.name === name);
			const points = ranked.points.map((point) => `${point.points.toFixed(1)}: ${point.because}`);
			const reasons = [`${ranked.score.toFixed(1)} points`, ...points, last.selection.rationale];
			return { isChosen, prompt: last.prompt, reasons };
		},
		onDidChange: changed.event,
		dispose: () => changed.dispose(),
	};
}
