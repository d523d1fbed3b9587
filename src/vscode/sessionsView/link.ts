import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { ViewPart } from "../../protocol/webview.ts";
import type { EvidenceLink } from "../evidence/link.ts";
import { workspaceUri } from "../folders.ts";
import type { PermissionsLink } from "../permissions/link.ts";
import { registerEach } from "../registerEach.ts";
import type { LiveTurns } from "../turn/turnRecord.ts";
import type { WorkerLink } from "../worker/link.ts";
import type { EditorServices } from "../worker/readiness.ts";
import type { SessionsViewDeps, SessionsViewHost } from "./host.ts";
import { createUnitedSessions, type UnitedSessionsDeps } from "./unitedSessions.ts";

const VIEW = "copilot-ld.sessions";

interface ViewServices extends EditorServices {
	readonly allSessions: ReturnType<typeof uniteSessions>;
	readonly evidence: EvidenceLink;
	readonly permissions: PermissionsLink;
	readonly live: LiveTurns;
}

export function showSessions(services: ViewServices): vscode.Disposable {
	const { worker, allSessions, evidence, context, log, permissions, live } = services;
	const changed = new vscode.EventEmitter<ViewPart>();
	return vscode.Disposable.from(
		changed,
		registerSessionsView({
			sessions: evidence.noting(allSessions.sessions),
			memory: worker.memory,
			permissions,
			log,
			steps: live,
			policies: () => worker.catalog.policies(new AbortController().signal),
			workspace: workspaceUri,
			onDidChange: changed.event,
			extensionUri: context.extensionUri,
		}),
		allSessions.onDidChangeSessions(() => changed.fire("sessions")),
		// Changes in other windows are not reported, so the view reads again when the window gets the focus.
		vscode.window.onDidChangeWindowState(({ focused }) => focused && changed.fire("sessions")),
		permissions.onDidChange(() => changed.fire("permissions")),
	);
}

function registerSessionsView(deps: SessionsViewDeps): vscode.Disposable {
	let host: SessionsViewHost | undefined;
	let wanted: ViewPart | undefined;
	const show = (part: ViewPart) => async () => {
		wanted = part;
		await vscode.commands.executeCommand(`${VIEW}.focus`);
		host?.show(part);
	};
	/** VS Code passes `data-vscode-context` of the session, which has the fields that requests need. */
	const forSession = (request: object) => (session?: object) => host?.receive({ ...session, ...request });
	const resolveWebviewView = async (view: vscode.WebviewView) => {
		const { openSessionsView } = await import("./host.ts");
		host = openSessionsView(view, deps);
		if (wanted) host.show(wanted);
		view.onDidDispose(() => {
			host?.dispose();
			host = undefined;
		});
	};
	return vscode.Disposable.from(
		vscode.window.registerWebviewViewProvider(VIEW, { resolveWebviewView }),
		{ dispose: () => host?.dispose() },
		registerEach<[session?: object]>({
			"copilot-ld.showSessions": show("sessions"),
			"copilot-ld.showPermissions": show("permissions"),
			"copilot-ld.continueSession": forSession({ kind: "resumeSession" }),
			"copilot-ld.forkSession": forSession({ kind: "forkSession" }),
			"copilot-ld.renameSession": forSession({ kind: "renameSession" }),
			"copilot-ld.exportSessionAsMarkdown": forSession({ kind: "exportSession", format: "markdown" }),
			"copilot-ld.exportSessionAsJson": forSession({ kind: "exportSession", format: "json" }),
			"copilot-ld.archiveSession": forSession({ kind: "archiveSession", archived: true }),
			"copilot-ld.unarchiveSession": forSession({ kind: "archiveSession", archived: false }),
			"copilot-ld.deleteSession": forSession({ kind: "deleteSession" }),
		}),
	);
}

export function uniteSessions(
	{ sessions: own, onDidChangeSessions }: WorkerLink,
	{ history, chats }: { readonly history: UnitedSessionsDeps["cli"]; chats: UnitedSessionsDeps["chats"] },
	log: vscode.LogOutputChannel,
) {
	const changed = new vscode.EventEmitter<void>();
	const sessions = createUnitedSessions({
		own,
		cli: history,
		chats,
		onChange: () => changed.fire(),
		onError: (thrown) => log.warn(messageOf(thrown)),
	});
	const listening = onDidChangeSessions(() => changed.fire());
	const dispose = () => vscode.Disposable.from(changed, listening).dispose();
	return { sessions, onDidChangeSessions: changed.event, dispose };
}
