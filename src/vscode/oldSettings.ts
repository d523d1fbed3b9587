import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";

/** Settings of earlier versions, each with the object setting and the member that replace it. */
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

type Values = Readonly<Record<string, unknown>>;

interface Scope {
	readonly configuration: vscode.WorkspaceConfiguration;
	readonly value: "globalValue" | "workspaceValue" | "workspaceFolderValue";
	readonly target: vscode.ConfigurationTarget;
}

/** The members of an object setting, with values under their old names until these are migrated. */
export function membersOf(setting: string): Values {
	const configuration = vscode.workspace.getConfiguration("copilot-ld");
	const layers = windowScopes(configuration).flatMap((scope) => [
		oldValues(setting, scope),
		valueIn(scope, setting),
	]);
	return Object.assign({}, configuration.get(setting), ...layers);
}

/** Moves old settings to their new names, and reports it once; those of a workspace only once it is trusted. */
export function moveOldSettings(log: vscode.LogOutputChannel): vscode.Disposable {
	const migrate = () => migrateAll().catch((thrown) => log.warn(`Old settings remain: ${messageOf(thrown)}`));
	void migrate();
	return vscode.workspace.onDidGrantWorkspaceTrust(() => void migrate());
}

async function migrateAll(): Promise<void> {
	const settings = new Set(Object.values(MOVED).map(([setting]) => setting));
	const moved = new Set<string>();
	for (const scope of writableScopes())
		for (const setting of settings) if (await migrate(setting, scope)) moved.add(`copilot-ld.${setting}`);
	if (moved.size === 0) return;
	const open = vscode.l10n.t("Open Settings");
	const text = vscode.l10n.t(
		"Copilot-LD: some settings were combined, and your values were moved to {0}.",
		[...moved].join(", "),
	);
	if ((await vscode.window.showInformationMessage(text, open)) === open)
		await vscode.commands.executeCommand("workbench.action.openSettings", [...moved].join(" "));
}

/** Removes the old names last: an interrupted migration loses nothing. Values that have the new name already win. */
async function migrate(setting: string, scope: Scope): Promise<boolean> {
	const old = oldValues(setting, scope);
	if (Object.keys(old).length === 0) return false;
	const { configuration, target } = scope;
	await configuration.update(setting, Object.assign(old, valueIn(scope, setting)), target);
	for (const name of namesOf(setting))
		if (valueIn(scope, name) !== undefined) await configuration.update(name, undefined, target);
	return true;
}

/** The user's values before those of the workspace. */
function windowScopes(configuration: vscode.WorkspaceConfiguration): Scope[] {
	return [
		{ configuration, value: "globalValue", target: vscode.ConfigurationTarget.Global },
		{ configuration, value: "workspaceValue", target: vscode.ConfigurationTarget.Workspace },
	];
}

function writableScopes(): Scope[] {
	const { workspaceFolders = [], getConfiguration } = vscode.workspace;
	const folders = workspaceFolders.map(
		({ uri }): Scope => ({
			configuration: getConfiguration("copilot-ld", uri),
			value: "workspaceFolderValue",
			target: vscode.ConfigurationTarget.WorkspaceFolder,
		}),
	);
	const scopes = windowScopes(getConfiguration("copilot-ld"));
	// In a single-folder window, its values are those of the workspace.
	if (folders.length > 1) scopes.push(...folders);
	// A remote window does not say whether a user's value is of that machine or of this one.
	return vscode.env.remoteName === undefined ? scopes : scopes.slice(1);
}

/**
 * Old values by their new member. VS Code no longer knows these names, so it does not withhold those of an untrusted
 * workspace: we must ignore a trace collector from there ourselves.
 */
function oldValues(setting: string, scope: Scope): Record<string, unknown> {
	const isUsers = scope.value === "globalValue";
	if (!isUsers && (!vscode.workspace.isTrusted || setting === "telemetry.otlp")) return {};
	const members = namesOf(setting).map((name) => [MOVED[name]?.[1], valueIn(scope, name)]);
	return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function namesOf(setting: string): string[] {
	return Object.keys(MOVED).filter((name) => MOVED[name]?.[0] === setting);
}

function valueIn({ configuration, value }: Scope, name: string): unknown {
	return configuration.inspect(name)?.[value];
}
