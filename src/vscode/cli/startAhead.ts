import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { setting } from "../settings.ts";

const KEY = "cli.usedHere";

/** Delay that lets the window finish loading first. */
const AHEAD_MS = 15_000;

export async function noteUse(state: vscode.Memento): Promise<void> {
	if (!state.get(KEY, false)) await state.update(KEY, true);
}

/** Starts the CLI `AHEAD_MS` after the window has opened, if the CLI was used in this workspace before. */
export function startCliAhead(
	cli: { startAhead(): Promise<void> },
	{ state, log }: { readonly state: vscode.Memento; readonly log: { warn(message: string): void } },
): vscode.Disposable {
	const start = () => {
		// Trust and the setting may have changed since the window opened.
		if (!vscode.workspace.isTrusted || !setting("cli.startAhead")) return;
		// Only logged, because the user did not ask for the start, and the first question reports the error.
		cli.startAhead().catch((thrown: unknown) => log.warn(messageOf(thrown)));
	};
	const timer = state.get(KEY, false) ? setTimeout(start, AHEAD_MS) : undefined;
	timer?.unref();
	return { dispose: () => clearTimeout(timer) };
}
