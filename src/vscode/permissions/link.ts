import * as vscode from "vscode";
import { withSteps } from "../../agent/call/toolCall.ts";
import { messageOf } from "../../base/failure.ts";
import { lazily, once } from "../../base/jobs/lazily.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { Channel, Permissions } from "../../core/permission/permission.ts";
import type { PermissionData } from "../../core/storedData.ts";
import { admission } from "../../permissions/admission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { workspaceUri } from "../folders.ts";
import { permissionRules } from "../settings.ts";

export type PermissionsLink = ReturnType<typeof createPermissionsLink>;

export function createPermissionsLink(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
	const opened = once(async () => {
		const { openPermissions } = await import("../../permissions/openPermissions.ts");
		const window = openPermissions({
			folder: permissionsFolder(context),
			readSettings: () => ({ ...permissionRules(), workspaceUri: workspaceUri() }),
			warn: (problem) => log.warn(`Setting copilot-LD.permissions.rules: ${problem}`),
		});
		// The settings may have changed while no window was open.
		void window.share();
		return window;
	});
	// Other programs read a copy of the settings' rules, so the copy must not wait for the first call here.
	const share = () => {
		opened.get().then(
			({ share: write }) => write(),
			(thrown) => log.error(messageOf(thrown)),
		);
	};
	const { user, workspace } = permissionRules();
	if (user !== undefined || workspace.length > 0) share();
	const changed = new vscode.EventEmitter<void>();
	const changes = vscode.workspace.onDidChangeConfiguration((event) => {
		if (!event.affectsConfiguration("copilot-LD.permissions.rules")) return;
		share();
		changed.fire();
	});
	const stored = async () => (await opened.get()).stored;
	const permissions = async () => (await opened.get()).permissions;
	const change = async <Result>(write: (to: Permissions) => Promise<Result>): Promise<Result> => {
		const result = await write(await permissions());
		changed.fire();
		return result;
	};
	return lazily(permissions, {
		record: (decision: Parameters<Permissions["record"]>[0]) => change((to) => to.record(decision)),
		add: (rule: Parameters<Permissions["add"]>[0]) => change((to) => to.add(rule)),
		revoke: (id: string) => change((to) => to.revoke(id)),
		stored: lazily(stored, {
			clear: async (...given: Parameters<PermissionData["clear"]>) => {
				await (await stored()).clear(...given);
				changed.fire();
			},
		}),
		/** Fires after a decision in this window, and when the rules change. */
		onDidChange: changed.event,
		pluginConsents: lazily(async () => (await opened.get()).pluginConsents),
		dispose: () => vscode.Disposable.from(changes, changed).dispose(),
	});
}

/** Applies this window's rules to each call. Without `askPerson`, refuses calls that need a question. */
export function admittedTools(
	tools: readonly Tool[],
	{ permissions, askPerson: ask }: { readonly permissions: Permissions; readonly askPerson?: AskPerson },
	at: { readonly channel: Channel; readonly session: string | undefined },
): Tool[] {
	return withSteps(tools, { admit: admission(permissions, { ...at, workspace: workspaceUri() }, { ask }) });
}

export function permissionsFolder({ globalStorageUri }: vscode.ExtensionContext): string {
	return vscode.Uri.joinPath(globalStorageUri, "permissions").fsPath;
}
