import * as vscode from "vscode";
import type { EvidenceLink } from "../evidence/link.ts";
import { workspaceUri } from "../folders.ts";
import type { createPermissionsLink } from "../permissions/link.ts";
import type { RunningSteps } from "../steps/runningSteps.ts";
import type { WorkerLink } from "../worker/link.ts";
import type { ViewChange } from "./deps.ts";
import type { uniteSessions } from "./unitedLink.ts";
import { registerSessionsView } from "./view.ts";

/** The view of sessions, memory and permissions, with what the worker and the rules tell of them. */
export function showSessions(
	{
		sessions,
		memory,
		catalog,
		evidence,
		onDidChangeSessions,
	}: Pick<WorkerLink, "memory" | "catalog"> &
		ReturnType<typeof uniteSessions> & { readonly evidence: EvidenceLink },
	{
		context,
		log,
		permissions,
		steps,
	}: {
		readonly context: vscode.ExtensionContext;
		readonly log: vscode.LogOutputChannel;
		readonly permissions: ReturnType<typeof createPermissionsLink>;
		readonly steps: RunningSteps;
	},
): vscode.Disposable {
	const changed = new vscode.EventEmitter<ViewChange>();
	const view = registerSessionsView({
		sessions: evidence.noting(sessions),
		memory,
		permissions,
		log,
		steps,
		policies: () => catalog.policies(new AbortController().signal),
		workspace: workspaceUri,
		onDidChange: changed.event,
		extensionUri: context.extensionUri,
	});
	return vscode.Disposable.from(
		view,
		changed,
		onDidChangeSessions((changes) => changed.fire({ part: "sessions", ...(changes && { changes }) })),
		permissions.onDidChange(() => changed.fire({ part: "permissions" })),
	);
}
