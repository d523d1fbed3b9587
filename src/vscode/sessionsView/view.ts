import * as vscode from "vscode";
import type { ViewPart } from "../../protocol/webview.ts";
import type { SessionsViewDeps } from "./deps.ts";
import type { SessionsViewHost } from "./host.ts";

const VIEW = "copilot-ld.sessions";

/** The view "Sessions", with its tabs. Its program is loaded when somebody looks at it. */
export function registerSessionsView(deps: SessionsViewDeps): vscode.Disposable {
	let host: SessionsViewHost | undefined;
	let wanted: ViewPart | undefined;
	const show = async (part: ViewPart) => {
		wanted = part;
		await vscode.commands.executeCommand(`${VIEW}.focus`);
		host?.show(part);
	};
	const provider: vscode.WebviewViewProvider = {
		resolveWebviewView: async (view) => {
			const { openSessionsView } = await import("./host.ts");
			host = openSessionsView(view, deps);
			if (wanted) host.show(wanted);
			view.onDidDispose(() => {
				host?.dispose();
				host = undefined;
			});
		},
	};
	const commands: Record<string, () => Promise<void>> = {
		"copilot-ld.showSessions": () => show("sessions"),
		"copilot-ld.showPermissions": () => show("permissions"),
	};
	return vscode.Disposable.from(
		vscode.window.registerWebviewViewProvider(VIEW, provider),
		{ dispose: () => host?.dispose() },
		...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
	);
}
