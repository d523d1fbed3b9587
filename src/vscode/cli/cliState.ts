import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { setting } from "../settings.ts";

const USED = "cli.usedHere";

/** Delay that lets the window finish loading first. */
const AHEAD_MS = 15_000;

export async function noteUse(state: vscode.Memento): Promise<void> {
	if (!state.get(USED, false)) await state.update(USED, true);
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
	const timer = state.get(USED, false) ? setTimeout(start, AHEAD_MS) : undefined;
	timer?.unref();
	return { dispose: () => clearTimeout(timer) };
}

export type CliSessionMap = ReturnType<typeof createCliSessionMap>;

const SESSIONS = "cli.sessions";

/** Maximum number of chats that keep their session; older chats start a new session. */
const CHATS = 1000;

export function createCliSessionMap(state: vscode.Memento) {
	const entries = () => state.get<readonly [string, string][]>(SESSIONS, []);
	const all = () => new Map(entries());
	return {
		all,
		get: (chat: string) => all().get(chat),
		set: async (chat: string, session: string) => {
			const others = entries().filter(([known]) => known !== chat);
			await state.update(SESSIONS, [...others, [chat, session]].slice(-CHATS));
		},
	};
}
