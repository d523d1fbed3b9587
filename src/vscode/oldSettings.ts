import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";
import { isRecord } from "../base/values.ts";
import { declaredSettings, SECTION } from "./declaredSettings.ts";

/** Where all settings were before; the ids of commands and views still begin so. */
const OLD_SECTION = "copilot-ld";

/** Members of object settings that were settings of their own, there. */
export const MOVED: Readonly<Record<string, readonly [setting: string, member: string]>> = {
	"embedding.endpoint": ["embedding.options", "endpoint"],
	"embedding.model": ["embedding.options", "model"],
	"embedding.dimensions": ["embedding.options", "dimensions"],
	"embedding.batchSize": ["embedding.options", "batchSize"],
	"embedding.queryPrefix": ["embedding.options", "queryPrefix"],
	"embedding.passagePrefix": ["embedding.options", "passagePrefix"],
	"storage.readOnly": ["storage.options", "readOnly"],
	"storage.memory": ["storage.options", "memory"],
	"agents.stepTimeout": ["agents.limits", "stepTimeout"],
	"agents.maxMinutes": ["agents.limits", "maxMinutes"],
	"agents.maxTokens": ["agents.limits", "maxTokens"],
	"agents.maxDepth": ["agents.limits", "maxDepth"],
	"agents.concurrency": ["agents.limits", "concurrency"],
	"telemetry.otlpEndpoint": ["telemetry.otlp", "endpoint"],
	"telemetry.otlpContents": ["telemetry.otlp", "contents"],
};

interface Scope {
	readonly uri?: vscode.Uri;
	readonly value: "globalValue" | "workspaceValue" | "workspaceFolderValue";
	readonly target: vscode.ConfigurationTarget;
}

const USER: Scope = { value: "globalValue", target: vscode.ConfigurationTarget.Global };
const WORKSPACE: Scope = { value: "workspaceValue", target: vscode.ConfigurationTarget.Workspace };

/** What was chosen for a setting in each scope, under its old names too until these are migrated; `undefined` where nothing was. */
export function chosenFor(setting: string) {
	return {
		user: chosenIn(USER, setting),
		workspace: chosenIn(WORKSPACE, setting),
		folders: folderScopes().map((scope) => chosenIn(scope, setting)),
	};
}

function chosenIn(scope: Scope, setting: string): unknown {
	const [old, value] = [oldValue(scope, setting), valueIn(scope, SECTION, setting)];
	return isRecord(old) && isRecord(value) ? { ...old, ...value } : (value ?? old);
}

/** Moves old settings to their new names, and reports it once; those of a workspace only once it is trusted. */
export function moveOldSettings(log: vscode.LogOutputChannel): vscode.Disposable {
	const migrate = () => migrateAll().catch((thrown) => log.warn(`Old settings remain: ${messageOf(thrown)}`));
	void migrate();
	return vscode.workspace.onDidGrantWorkspaceTrust(() => void migrate());
}

async function migrateAll(): Promise<void> {
	const moved = new Set<string>();
	for (const scope of writableScopes())
		for (const setting of Object.keys(declaredSettings()))
			if (await migrate(scope, setting)) moved.add(`${SECTION}.${setting}`);
	if (moved.size === 0) return;
	const open = vscode.l10n.t("Open Settings");
	const text = vscode.l10n.t(
		"Copilot-LD: some settings have new names, and your values were moved to {0}.",
		[...moved].join(", "),
	);
	if ((await vscode.window.showInformationMessage(text, open)) === open)
		await vscode.commands.executeCommand("workbench.action.openSettings", [...moved].join(" "));
}

/** Removes the old names last: an interrupted migration loses nothing. Values that have the new name already win. */
async function migrate(scope: Scope, setting: string): Promise<boolean> {
	if (oldValue(scope, setting) === undefined) return false;
	await configurationOf(scope, SECTION).update(setting, chosenIn(scope, setting), scope.target);
	for (const name of [setting, ...oldMembers(setting)])
		if (valueIn(scope, OLD_SECTION, name) !== undefined)
			await configurationOf(scope, OLD_SECTION).update(name, undefined, scope.target);
	return true;
}

function folderScopes(): Scope[] {
	const { workspaceFolders = [] } = vscode.workspace;
	const target = vscode.ConfigurationTarget.WorkspaceFolder;
	return workspaceFolders.map(({ uri }) => ({ uri, value: "workspaceFolderValue", target }));
}

function writableScopes(): Scope[] {
	const folders = folderScopes();
	// In a single-folder window, its values are those of the workspace.
	const scopes = folders.length > 1 ? [WORKSPACE, ...folders] : [WORKSPACE];
	// A remote window does not say whether a user's value is of that machine or of this one.
	return vscode.env.remoteName === undefined ? [USER, ...scopes] : scopes;
}

/** VS Code does not know the old names: what only the user may choose, or an untrusted workspace has, is ignored here. */
function oldValue(scope: Scope, setting: string): unknown {
	const { scope: reach = "" } = declaredSettings()[setting] ?? {};
	const isForUser = reach === "machine" || reach === "application";
	if (scope !== USER && (isForUser || !vscode.workspace.isTrusted)) return undefined;
	const value = valueIn(scope, OLD_SECTION, setting);
	const members = oldMembers(setting).flatMap((name) => {
		const member = valueIn(scope, OLD_SECTION, name);
		return member === undefined ? [] : [[MOVED[name]?.[1], member] as const];
	});
	return members.length === 0 ? value : Object.assign(Object.fromEntries(members), value);
}

function oldMembers(setting: string): string[] {
	return Object.keys(MOVED).filter((name) => MOVED[name]?.[0] === setting);
}

function valueIn(scope: Scope, section: string, name: string): unknown {
	return configurationOf(scope, section).inspect(name)?.[scope.value];
}

function configurationOf({ uri }: Scope, section: string): vscode.WorkspaceConfiguration {
	return vscode.workspace.getConfiguration(section, uri);
}
