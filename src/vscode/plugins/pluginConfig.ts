import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { type Document, parseDocument } from "yaml";
import { Failure } from "../../base/failure.ts";
import { type ConfigValue, PLUGINS_FOLDER, type PluginDefinition } from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { checkInput } from "../../plugins/types/checkValue.ts";
import { editFile } from "../editFile.ts";
import type { LivePlugins } from "./livePlugins.ts";

/** Asks for a value that holds until the window is closed, whatever files say. */
export async function setForSession(
	{ session }: LivePlugins,
	plugin: PluginDefinition,
	{ path, value }: Pick<ConfigValue, "path" | "value">,
): Promise<void> {
	const isText = typeof value === "string";
	const typed = await vscode.window.showInputBox({
		title: vscode.l10n.t("Set for This Session"),
		prompt: path.join("."),
		value: isText ? value : JSON.stringify(value),
		validateInput: (written) => mistakeOf(plugin, path, isText ? written : parsedOf(written)),
	});
	if (typed !== undefined) session.set(plugin.name, path, isText ? typed : parsedOf(typed));
}

export function parsedOf(typed: string): unknown {
	try {
		return JSON.parse(typed);
	} catch {
		return typed;
	}
}

/** What a parameter of this name would have against it. */
function mistakeOf({ commands, types }: PluginDefinition, path: readonly string[], value: unknown) {
	const [name = "", ...rest] = path;
	if (rest.length > 0) return undefined;
	return commands
		.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.name === name))
		.map((parameter) => checkInput({ [name]: value }, [parameter], types))
		.find((mistake) => mistake !== undefined);
}

/** Removes the configuration of a plugin by the session, the workspace or the user; only its own file then counts. */
export async function resetConfig(
	{ session, refresh }: LivePlugins,
	{ name, config }: PluginDefinition,
): Promise<void> {
	const origins = new Set(config.map(({ origin }) => origin));
	const all = [
		{ label: vscode.l10n.t("Values of This Session"), origin: "session" },
		{ label: vscode.l10n.t("Values of the Workspace"), origin: "workspace" },
		{ label: vscode.l10n.t("Your Own Values"), origin: "user" },
	] as const;
	const items = all.filter(({ origin }) => origins.has(origin)).map((item) => ({ ...item, picked: true }));
	if (items.length === 0)
		throw new Failure("NOT_FOUND", vscode.l10n.t("Only its own file configures {0}.", name));
	const title = vscode.l10n.t("Reset Configuration");
	const chosen = (await vscode.window.showQuickPick(items, { title, canPickMany: true })) ?? [];
	for (const { origin } of chosen) {
		if (origin === "session") session.reset(name);
		else
			for (const uri of configFiles(origin)) await editConfig(uri, (file) => file.deleteIn([name, "config"]));
	}
	refresh();
}

function configFiles(origin: "workspace" | "user"): vscode.Uri[] {
	const bases =
		origin === "user"
			? [vscode.Uri.file(personHome(process.env))]
			: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
	return bases
		.map((base) => vscode.Uri.joinPath(base, PLUGINS_FOLDER, "config.yaml"))
		.filter(({ fsPath }) => existsSync(fsPath));
}

/** Writes down whether a plugin is offered, beside the plugins, so that it holds wherever they are. */
export async function switchPlugin({ name, source }: PluginDefinition, isDisabled: boolean): Promise<void> {
	const uri = vscode.Uri.joinPath(vscode.Uri.parse(source.uri), "..", "..", "config.yaml");
	await editConfig(uri, (config) => {
		if (isDisabled) config.setIn([name, "disabled"], true);
		else config.deleteIn([name, "disabled"]);
	});
}

async function editConfig(uri: vscode.Uri, change: (config: Document) => void): Promise<void> {
	await editFile(uri, (text) => {
		const config = parseDocument(text);
		if (config.errors.length > 0)
			throw new Failure("BAD_INPUT", vscode.l10n.t("Correct {0} first: it is not valid YAML.", uri.fsPath));
		change(config);
		return config.toString();
	});
}
