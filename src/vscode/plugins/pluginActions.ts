import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { type Document, parseDocument, stringify } from "yaml";
import { Failure } from "../../base/failure.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import {
	type ConfigValue,
	commandName,
	PLUGINS_FOLDER,
	type PluginCommand,
	type PluginDefinition,
} from "../../core/plugin/plugin.ts";
import type { Field } from "../../core/plugin/valueType.ts";
import type { Sessions, TranscriptTurn } from "../../core/session/session.ts";
import { personHome } from "../../loads/cliHome.ts";
import { PLUGIN_NAME } from "../../plugins/manifest/schema.ts";
import { askedIn, lineFor, partsOf, pluginFileFor, withLine } from "../../plugins/save/draft.ts";
import { checkInput } from "../../plugins/types/checkValue.ts";
import { callHostTool } from "../cancellation.ts";
import { createFile, editFile } from "../folders.ts";
import type { MarkdownViewer } from "../registerEach.ts";
import { findInTurn } from "../turn/turnOf.ts";
import type { LivePlugins } from "./livePlugins.ts";

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

function parsedOf(typed: string): unknown {
	try {
		return JSON.parse(typed);
	} catch {
		return typed;
	}
}

function mistakeOf({ commands, types }: PluginDefinition, path: readonly string[], value: unknown) {
	const [name = "", ...rest] = path;
	if (rest.length > 0) return undefined;
	return commands
		.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.name === name))
		.map((parameter) => checkInput({ [name]: value }, [parameter], types))
		.find((mistake) => mistake !== undefined);
}

export async function resetConfig(live: LivePlugins, plugin: PluginDefinition): Promise<void> {
	const { name, config } = plugin;
	const origins = new Set(config.map(({ origin }) => origin));
	const all = [
		{ label: vscode.l10n.t("Values of This Session"), origin: "session" },
		{ label: vscode.l10n.t("Values of the Workspace"), origin: "workspace" },
		{ label: vscode.l10n.t("Your Own Values"), origin: "user" },
	] as const;
	const items = all.filter(({ origin }) => origins.has(origin)).map((item) => ({ ...item, picked: true }));
	if (items.length === 0)
		throw new Failure("NOT_FOUND", vscode.l10n.t("The plugin {0} has no configured values to reset.", name));
	const title = vscode.l10n.t("Reset Configuration");
	const chosen = (await vscode.window.showQuickPick(items, { title, canPickMany: true })) ?? [];
	for (const { origin } of chosen) {
		if (origin === "session") live.session.reset(name);
		else
			for (const uri of configFiles(origin)) await editConfig(uri, (file) => file.deleteIn([name, "config"]));
	}
	live.refresh();
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

/** Writes the choice to `config.yaml` next to the plugins, so that the choice moves with them. */
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

type Chosen = { readonly plugin?: PluginDefinition; readonly command?: PluginCommand };

export async function runCommand(live: LivePlugins, documents: MarkdownViewer, node?: Chosen) {
	const { plugin, command }: Chosen = node?.command ? node : ((await pickCommand(live)) ?? {});
	const param = command && (await askFor(command));
	if (!plugin || !param) return;
	const input = { plugin: plugin.name, command: command.name, param };
	const words = await callHostTool("copilot-ld_plugin", input, { signal: new AbortController().signal });
	await documents.show(`${plugin.name} ${command.name}.txt`, words);
}

async function pickCommand(live: LivePlugins) {
	const { plugins } = await live.registry();
	const items = plugins
		.filter(({ isDisabled }) => !isDisabled)
		.flatMap((plugin) =>
			plugin.commands.map((command) => ({
				label: commandName(plugin.name, command.name),
				detail: visibleText(command.description),
				plugin,
				command,
			})),
		);
	const placeHolder = vscode.l10n.t("Select a command");
	return vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
}

async function askFor(command: PluginCommand): Promise<Record<string, unknown> | undefined> {
	const param: Record<string, unknown> = {};
	for (const field of command.parameters) {
		const typed = await askForOne(command, field);
		if (typed === undefined) return undefined;
		// Passes texts unchanged, and anything else as JSON, which the command itself checks.
		const isText = ["string", "date", "iri", "path"].includes(field.type.kind);
		if (typed !== "") param[field.name] = isText ? typed : parsedOf(typed);
	}
	return param;
}

function askForOne(command: PluginCommand, { name, description, isRequired, example }: Field) {
	return vscode.window.showInputBox({
		title: command.name,
		prompt: visibleText(description === undefined ? name : `${name}: ${description}`),
		placeHolder: isRequired ? "" : vscode.l10n.t("may be left empty"),
		value: typeof example === "string" ? example : (JSON.stringify(example) ?? ""),
	});
}

/** Asks for a plugin name that is free in the folder; `undefined` if the user cancels. */
export async function askPluginName(
	folder: vscode.Uri,
	{ title, value = "" }: { readonly title: string; readonly value?: string },
): Promise<string | undefined> {
	const place = join(folder.fsPath, PLUGINS_FOLDER);
	const entries = await readdir(place).catch(() => []);
	const taken = new Set(entries.map((entry) => entry.toLowerCase()));
	return vscode.window.showInputBox({
		title,
		value,
		prompt: vscode.l10n.t("Name the tool"),
		placeHolder: "people-by-job",
		validateInput: (name) => {
			if (!PLUGIN_NAME.test(name))
				return vscode.l10n.t("Use 1 to 32 lower-case letters, digits and hyphens, a letter first.");
			return taken.has(name) ? vscode.l10n.t("There is a tool with this name.") : undefined;
		},
	});
}

export async function saveAsTool(sessions: Sessions, turn: readonly unknown[]): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	if (!folder) throw new Failure("NO_FOLDER", l10n.t("Open a folder first: the tool is stored in it."));
	const { asked, question } = await findAsked(sessions, turn);
	const chosen = await pickParts(partsOf(asked));
	const parts = chosen && (await askParameters(chosen));
	const name = parts && (await askPluginName(folder, { title: l10n.t("Save as Tool") }));
	const description = name && (await askDescription(question));
	if (!parts || !name || !description) return;
	const file = pluginFileFor(asked, { description, parts });
	const uri = vscode.Uri.joinPath(folder, PLUGINS_FOLDER, name, "plugin.yaml");
	await createFile(uri, stringify(file, { lineWidth: 0 }));
}

function findAsked(sessions: Sessions, turn: readonly unknown[]) {
	const hint = l10n.t(
		"Ask @copilot-ld a question first, or use /search or /graph. The answer can then be saved as a tool.",
	);
	const find = (one: TranscriptTurn) => {
		const asked = askedIn(one);
		return asked && { asked, question: one.question };
	};
	return findInTurn(sessions, turn, find, hint);
}

type Parts = ReturnType<typeof partsOf>;

async function pickParts(parts: Parts): Promise<Parts | undefined> {
	if (parts.length === 0) return [];
	const items = parts.map((part) => ({
		label: visibleText(boundedText(part.value, LISTED)),
		description: `${part.name}: ${part.type}`,
		picked: part.isLikely,
		part,
	}));
	const title = l10n.t("Save as Tool");
	const placeHolder = l10n.t("Select the values that can differ from call to call");
	const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
	return chosen?.map(({ part }) => part);
}

async function askParameters(parts: Parts) {
	if (parts.length === 0) return parts;
	const line = await vscode.window.showInputBox({
		title: l10n.t("Save as Tool"),
		prompt: l10n.t(
			"Change names and types (string, date, iri, int, float), and add descriptions after an equals sign",
		),
		value: lineFor(parts),
		validateInput: (text) =>
			withLine(parts, text)
				? undefined
				: l10n.t("Write “name: type = description” for each value, with semicolons between them."),
	});
	return line === undefined ? undefined : withLine(parts, line);
}

const LISTED = 100;

async function askDescription(question: string): Promise<string | undefined> {
	return vscode.window.showInputBox({
		title: l10n.t("Save as Tool"),
		prompt: l10n.t("Describe when agents should use it"),
		value: question.replace(/\s+/g, " ").slice(0, DESCRIBED),
		validateInput: (value) =>
			value.trim() === "" ? l10n.t("Agents choose a tool by its description.") : undefined,
	});
}

const DESCRIBED = 500;
