import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { executablesAmong, readFolder } from "../../base/files/folderFiles.ts";
import type { PluginDefinition } from "../../core/plugin/plugin.ts";
import { packPlugin } from "../../plugins/share/archive.ts";
import { agreedWith, pluginsInFolderOf } from "../../plugins/share/reach.ts";
import { confirmLines } from "../confirmLines.ts";
import { requireTrust } from "../registerEach.ts";
import { declaredLines } from "./declaredLines.ts";
import type { LivePlugins } from "./livePlugins.ts";

/** Writes a plugin's folder as an archive, with its hash beside it, for others to add. */
export async function packagePlugin(live: LivePlugins, given?: PluginDefinition): Promise<void> {
	const plugin = given ?? (await pickPlugin(live));
	if (!plugin) return;
	const { artifactId, version, source } = plugin;
	const folder = dirname(vscode.Uri.parse(source.uri).fsPath);
	const files = readFolder(folder);
	const bytes = packPlugin(files, executablesAmong(folder, files.keys()));
	const uri = await vscode.window.showSaveDialog({
		title: vscode.l10n.t("Package Plugin"),
		defaultUri: vscode.Uri.joinPath(
			vscode.Uri.file(folder),
			"..",
			"..",
			"..",
			`${artifactId}-${version}.zip`,
		),
		filters: { Zip: ["zip"] },
	});
	if (!uri) return;
	const hash = createHash("sha256").update(bytes).digest("hex");
	await writeFile(uri.fsPath, bytes);
	await writeFile(`${uri.fsPath}.sha256`, `${hash}  ${basename(uri.fsPath)}\n`);
	void vscode.window.showInformationMessage(
		vscode.l10n.t("{0} is packaged. Its SHA-256 is {1}.", plugin.name, hash),
	);
}

async function pickPlugin({ registry }: LivePlugins): Promise<PluginDefinition | undefined> {
	const { plugins } = await registry(new AbortController().signal);
	const items = plugins.map((plugin) => ({ label: plugin.name, description: plugin.version, plugin }));
	const placeHolder = vscode.l10n.t("Select a plugin");
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.plugin;
}

/** Shows what the current version of a plugin and those in its folder declare, and lets them run if the user agrees. */
export async function reviewPlugin(live: LivePlugins, given: PluginDefinition): Promise<void> {
	requireTrust(vscode.l10n.t("Nothing is run in an untrusted folder. Trust the folder first."));
	// What the view shows may be old.
	live.refresh();
	const { plugins } = await live.registry(new AbortController().signal);
	const found = plugins.find(({ name, source }) => name === given.name && source.uri === given.source.uri);
	const plugin = found && (agreedWith(found, plugins) ?? found);
	if (!plugin)
		throw new Failure("NOT_FOUND", vscode.l10n.t("The plugin no longer exists, or its file has errors."));
	const question = REVIEWS[await live.consentStateOf(plugin)](plugin.name);
	const lines = declaredLines(plugin, pluginsInFolderOf(plugin, plugins));
	if (await confirmLines(question, lines, vscode.l10n.t("Allow"))) await live.agree(plugin);
}

const REVIEWS = {
	agreed: (name: string) => vscode.l10n.t("You have allowed this of the plugin {0}.", name),
	changed: (name: string) => vscode.l10n.t("The plugin {0} has changed. Allow it as it is now?", name),
	unseen: (name: string) => vscode.l10n.t("Allow the plugin {0} to do this?", name),
} as const;
