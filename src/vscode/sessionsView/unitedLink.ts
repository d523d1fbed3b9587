import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { SessionChange } from "../../core/session/session.ts";
import type { CliLink } from "../cli/cliLink.ts";
import type { WorkerLink } from "../worker/link.ts";
import { createUnitedSessions, uniteChanges } from "./unitedSessions.ts";

/** Our sessions with those of the Copilot CLI. */
export function uniteSessions(
	{ sessions: own, onDidChangeSessions }: WorkerLink,
	{ history, chats }: CliLink,
	log: vscode.LogOutputChannel,
) {
	const changed = new vscode.EventEmitter<readonly SessionChange[] | undefined>();
	const sessions = createUnitedSessions({
		own,
		cli: history,
		chats,
		onChange: () => changed.fire(undefined),
		onError: (thrown) => log.warn(messageOf(thrown)),
	});
	const listening = onDidChangeSessions((changes) => changed.fire(uniteChanges(changes, chats())));
	const dispose = () => vscode.Disposable.from(changed, listening).dispose();
	return { sessions, onDidChangeSessions: changed.event, dispose };
}
