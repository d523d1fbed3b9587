import * as vscode from "vscode";
import type { Permissions } from "../core/permission.ts";
import { once } from "./once.ts";
import { permissionRules } from "./settings.ts";

/** The permissions of this window. The first question loads them. */
export interface PermissionsLink extends Permissions, vscode.Disposable {}

export function createPermissionsLink(
	context: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
): PermissionsLink {
	const listeners: vscode.Disposable[] = [];
	const opened = once(async () => {
		const { openPermissions } = await import("../permissions/openPermissions.ts");
		return openPermissions({
			folder: vscode.Uri.joinPath(context.globalStorageUri, "permissions").fsPath,
			readSettings: () => ({
				...permissionRules(),
				workspaceUri: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? "",
			}),
			onDidChangeSettings: (listener) => {
				const changed = vscode.workspace.onDidChangeConfiguration((event) => {
					if (event.affectsConfiguration("copilot-ld.permissions.rules")) listener();
				});
				listeners.push(changed);
			},
			warn: (problem) => log.warn(`Setting copilot-ld.permissions.rules: ${problem}`),
		});
	});
	const permissions = opened.get;
	return {
		verdictFor: async (request) => (await permissions()).verdictFor(request),
		record: async (decision) => (await permissions()).record(decision),
		add: async (rule) => (await permissions()).add(rule),
		revoke: async (id) => (await permissions()).revoke(id),
		rules: async () => (await permissions()).rules(),
		decisions: async (query) => (await permissions()).decisions(query),
		preview: async (rule, since) => (await permissions()).preview(rule, since),
		dispose: () => vscode.Disposable.from(...listeners).dispose(),
	};
}
