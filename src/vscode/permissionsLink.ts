import * as vscode from "vscode";
import { messageOf } from "../core/failure.ts";
import type { Permissions } from "../core/permission.ts";
import { once } from "./once.ts";
import { permissionRules } from "./settings.ts";

/** The permissions of this window. The first question loads them. */
export interface PermissionsLink extends Permissions, vscode.Disposable {}

export function createPermissionsLink(
	context: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
): PermissionsLink {
	const opened = once(async () => {
		const { openPermissions } = await import("../permissions/openPermissions.ts");
		const window = openPermissions({
			folder: permissionsFolder(context),
			readSettings: () => ({
				...permissionRules(),
				workspaceUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "",
			}),
			warn: (problem) => log.warn(`Setting copilot-ld.permissions.rules: ${problem}`),
		});
		// The rules may have changed while no window was open.
		void window.share();
		return window;
	});
	// Other programs follow the rules of the settings from a copy, which must not wait for a call here.
	const share = () => {
		opened.get().then(
			({ share: write }) => write(),
			(thrown) => log.error(messageOf(thrown)),
		);
	};
	const { user, workspace } = permissionRules();
	if (user !== undefined || workspace.length > 0) share();
	const changes = vscode.workspace.onDidChangeConfiguration((event) => {
		if (event.affectsConfiguration("copilot-ld.permissions.rules")) share();
	});
	const permissions = async () => (await opened.get()).permissions;
	return {
		verdictFor: async (request) => (await permissions()).verdictFor(request),
		record: async (decision) => (await permissions()).record(decision),
		add: async (rule) => (await permissions()).add(rule),
		revoke: async (id) => (await permissions()).revoke(id),
		rules: async () => (await permissions()).rules(),
		decisions: async (query) => (await permissions()).decisions(query),
		preview: async (rule, since) => (await permissions()).preview(rule, since),
		dispose: () => changes.dispose(),
	};
}

/** Absolute path of the folder with the rules and the log, which all windows share. */
export function permissionsFolder({ globalStorageUri }: vscode.ExtensionContext): string {
	return vscode.Uri.joinPath(globalStorageUri, "permissions").fsPath;
}
