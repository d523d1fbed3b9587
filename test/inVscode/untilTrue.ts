import * as vscode from "vscode";

/** Resolves when the condition holds. Checks it now and after each of the events. */
export async function untilTrue(
	condition: () => boolean,
	...events: readonly vscode.Event<unknown>[]
): Promise<void> {
	if (condition()) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	const check = () => {
		if (condition()) resolve();
	};
	const listeners = vscode.Disposable.from(...events.map((event) => event(check)));
	await promise;
	listeners.dispose();
}

/** Resolves when the condition on the active editor holds. */
export function untilEditor(condition: () => boolean): Promise<void> {
	const { onDidChangeActiveTextEditor, onDidChangeTextEditorSelection } = vscode.window;
	return untilTrue(condition, onDidChangeActiveTextEditor, onDidChangeTextEditorSelection);
}
