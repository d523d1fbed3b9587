import * as vscode from "vscode";
import type { Runner } from "../../core/agent/agentEvent.ts";

const QUOTED = vscode.l10n.t("Quoted by Passages, without a language model.");

/** Tells at the end that no model answered. */
export function quoting(run: Runner): Runner {
	return told(run, QUOTED);
}

function told(run: Runner, text: string): Runner {
	return async function* runTurn(request, signal) {
		for await (const event of run(request, signal)) {
			if (event.kind === "ended") yield { kind: "notice", text };
			yield event;
		}
	};
}

/** Where the model is gone or may not be used, another runner answers in its place. */
export function orElse(run: Runner, other: Runner): Runner {
	return async function* runTurn(request, signal) {
		try {
			yield* run(request, signal);
		} catch (thrown) {
			const why = unusable(thrown);
			if (why === undefined) throw thrown;
			yield* told(other, `${QUOTED} ${why}`)(request, signal);
		}
	};
}

/** Nothing was said then. */
function unusable(thrown: unknown): string | undefined {
	const { NotFound, NoPermissions } = vscode.LanguageModelError;
	if (!(thrown instanceof vscode.LanguageModelError)) return undefined;
	if (thrown.code === NotFound.name)
		return vscode.l10n.t("The selected language model is no longer available.");
	if (thrown.code === NoPermissions.name)
		return vscode.l10n.t("Copilot-LD is not allowed to use the selected language model.");
	return undefined;
}
