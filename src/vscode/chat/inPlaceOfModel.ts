import * as vscode from "vscode";
import type { Middleware } from "../../agent/loop/runTurn.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";

/** States at the end that no model answered. */
export function quoting(why = ""): Middleware {
	const text = `${vscode.l10n.t("Quoted by Passages, without a language model.")} ${why}`.trim();
	return ({ tell }) => ({ note: ({ kind }) => kind === "ended" && tell({ kind: "notice", text }) });
}

/** Another runner answers if the model is gone or may not be used; nothing was said then. */
export function orElse(other: (why: string) => Runner): Middleware {
	return () => ({
		rescue: (thrown) => {
			const why = unusable(thrown);
			return why === undefined ? undefined : other(why);
		},
	});
}

function unusable(thrown: unknown): string | undefined {
	const { NotFound, NoPermissions } = vscode.LanguageModelError;
	if (!(thrown instanceof vscode.LanguageModelError)) return undefined;
	if (thrown.code === NotFound.name)
		return vscode.l10n.t("The selected language model is no longer available.");
	if (thrown.code === NoPermissions.name)
		return vscode.l10n.t("Copilot-LD is not allowed to use the selected language model.");
	return undefined;
}
