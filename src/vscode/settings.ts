import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";
import { isRecord } from "../base/values.ts";
import type { ChainLimits } from "../core/agent/chain.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import { type Settings, settings } from "../core/settings.ts";

/** Returns a setting. An invalid value, which VS Code returns too, counts as missing. */
export function setting<Name extends keyof Settings>(name: Name): Settings[Name] {
	const merged = vscode.workspace.getConfiguration(SECTION).get<unknown>(name);
	const chosen = [merged, chosenIn(USER, name), chosenIn(WORKSPACE, name)].filter((value) => value != null);
	const value = chosen.every(isRecord) ? Object.assign({}, ...chosen) : chosen.at(-1);
	return fittingIn(name, value) as Settings[Name];
}

/** Parses a setting. An invalid member of an object gets its default. */
function fittingIn(name: keyof Settings, value: unknown): unknown {
	const schema = settings.shape[name];
	const { data, error } = schema.safeParse(value);
	if (!error) return data;
	const wrong = new Set(error.issues.map(({ path }) => path[0]));
	const members = Object.entries(Object(value)).filter(([member]) => !wrong.has(member));
	return schema.parse(isRecord(value) && !wrong.has(undefined) ? Object.fromEntries(members) : undefined);
}

export function answerLimits(): { readonly tokens: number; readonly seconds: number } {
	const { answerTokens: tokens, answerTimeout: seconds } = setting("agents.limits");
	return { tokens, seconds };
}

export function chainLimits(): ChainLimits {
	const { maxDepth: depth, maxTokens: tokens, maxMinutes, concurrency } = setting("agents.limits");
	return { depth, tokens, time: maxMinutes * 60_000, concurrency };
}

/** Returns the globs of `files.exclude` and `search.exclude` that apply without a condition. */
export function excludedGlobs(): string[] {
	const sections = ["files", "search"].map((name) =>
		vscode.workspace.getConfiguration(name).get<Record<string, unknown>>("exclude", {}),
	);
	return sections.flatMap((globs) => Object.keys(globs).filter((glob) => globs[glob] === true));
}

export function embeddingSettings(): EmbeddingSettings {
	const { dimensions, ...options } = setting("embedding.options");
	return { ...options, provider: setting("embedding.provider"), ...(dimensions !== null && { dimensions }) };
}

export function storageSettings(): StorageSettings {
	const { readOnly, memory: memoryMb, ...options } = setting("storage.options");
	return { uri: setting("storage.uri"), options, readOnly, memoryMb };
}

/** Default options of a search. The manifest no longer lists these settings, but they are still read. */
export function searchChoice(): SearchChoice {
	const search = vscode.workspace.getConfiguration("copilot-ld").get<Record<string, unknown>>("search", {});
	const { index, threshold, maxTokens } = search;
	return {
		...((index === "content" || index === "descriptor") && { index }),
		...(typeof threshold === "number" && threshold > 0 && { threshold: Math.min(1, threshold) }),
		...(typeof maxTokens === "number" && maxTokens >= 1 && { maxTokens: Math.floor(maxTokens) }),
	};
}

export function permissionRules(): { readonly user: unknown; readonly workspace: readonly unknown[] } {
	const [user, ...others] = [USER, WORKSPACE, ...folderScopes()].map((scope) =>
		chosenIn(scope, "permissions.rules"),
	);
	return { user, workspace: others.filter((value) => value !== undefined) };
}

/** In capitals, because VS Code derives the headings of the settings from this name. */
export const SECTION = "copilot-LD";

/** Schema of a value in the manifest, which a test compares with `core/settings`. */
export interface Declared {
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, Declared>>;
	/** VS Code's scope of the setting; `window` if absent. */
	readonly scope?: string;
}

export function declaredSettings(): Readonly<Record<string, Declared>> {
	const extension = vscode.extensions.getExtension("copilot-ld.copilot-ld");
	const sections: readonly { readonly properties: object }[] =
		extension?.packageJSON.contributes.configuration;
	const all = sections.flatMap(({ properties }) => Object.entries(properties));
	return Object.fromEntries(all.map(([id, declared]) => [id.slice(SECTION.length + 1), declared]));
}

/** Former section of all settings, and prefix of the ids of commands and views. */
const OLD_SECTION = "copilot-ld";

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

/** The value of a setting in a scope, including old names that are not migrated yet. */
function chosenIn(scope: Scope, setting: string): unknown {
	const [old, value] = [oldValue(scope, setting), valueIn(scope, SECTION, setting)];
	return isRecord(old) && isRecord(value) ? { ...old, ...value } : (value ?? old);
}

/** Moves old settings to their new names, and reports the move once. Waits until the workspace is trusted. */
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

/** Removes the old names last, so an interrupted migration loses nothing. Values of the new name win. */
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
	// In a single-folder window, the folder's values are the workspace's.
	const scopes = folders.length > 1 ? [WORKSPACE, ...folders] : [WORKSPACE];
	// In a remote window, a user's value may come from either machine.
	return vscode.env.remoteName === undefined ? [USER, ...scopes] : scopes;
}

/** Ignores workspace values without the scope or trust they need, because VS Code does not check old names. */
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
