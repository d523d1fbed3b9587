import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { effectiveConfig } from "../../plugins/manifest/config.ts";
import type { PluginManifest } from "../../plugins/manifest/readManifest.ts";
import { pluginNameFor, readAddable } from "../../plugins/share/addable.ts";
import type { SharedFiles } from "../../plugins/share/archive.ts";
import { pluginsInFolderOf } from "../../plugins/share/reach.ts";
import { amounts } from "../amounts.ts";
import { confirmLines } from "../confirmLines.ts";
import { askPluginName } from "./askPluginName.ts";
import { type Declaring, declaredLines, SHORT, shown } from "./declaredLines.ts";
import type { LivePlugins } from "./livePlugins.ts";
import { pickPluginSource } from "./pluginSource.ts";

/** Adds a plugin of others to the workspace or to the person's own, once they have seen what it declares. */
export async function addPlugin(live: LivePlugins): Promise<void> {
	const from = await pickPluginSource();
	if (!from) return;
	const { files } = from;
	const { manifest, inner } = readAddable(files, from.name);
	const declared = declaredLines(configured(manifest), inner.map(configured));
	const ofFiles = [`${amounts.files(files.size)}: ${[...files.keys()].join(", ")}`, from.origin];
	const title = vscode.l10n.t("Add Plugin");
	const question = vscode.l10n.t("Add the plugin {0}?", shown(manifest.title, SHORT));
	const lines = [...declared, ...ofFiles.map(visibleText)];
	if (!(await confirmLines(question, lines, title))) return;
	const home = await pickHome(title);
	const name = home && (await askPluginName(home, { title, value: pluginNameFor(from.name) }));
	if (!home || !name) return;
	const uri = await writePlugin(join(home.fsPath, PLUGINS_FOLDER, name), files);
	await agreeTo(live, uri, declared);
	await vscode.window.showTextDocument(uri);
}

/** By itself, before others say something of it. */
function configured({ config, ...manifest }: PluginManifest): Declaring {
	return { ...manifest, config: effectiveConfig([{ origin: "plugin", config }]) };
}

async function pickHome(title: string): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const own = {
		label: vscode.l10n.t("For Me, in All Workspaces"),
		uri: vscode.Uri.file(personHome(process.env)),
	};
	const here = folder ? [{ label: vscode.l10n.t("For This Workspace"), uri: folder.uri }] : [];
	return (await vscode.window.showQuickPick([...here, own], { title }))?.uri;
}

/** Its description comes last: a folder without it is no plugin. Nothing that is there is written over. */
async function writePlugin(folder: string, files: SharedFiles): Promise<vscode.Uri> {
	const ordered = [...files].sort(([a], [b]) => Number(a === "plugin.yaml") - Number(b === "plugin.yaml"));
	for (const [name, bytes] of ordered) {
		const path = join(folder, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes, { flag: "wx" });
	}
	return vscode.Uri.file(join(folder, "plugin.yaml"));
}

/** To what the person was shown: a configuration of the workspace may say more of it. */
async function agreeTo(live: LivePlugins, uri: vscode.Uri, declared: readonly string[]): Promise<void> {
	live.refresh();
	const { plugins } = await live.registry(new AbortController().signal);
	const plugin = plugins.find(({ source }) => vscode.Uri.parse(source.uri).fsPath === uri.fsPath);
	if (!plugin)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("The plugin was added, but is not available. The Plugins view says why."),
		);
	const here = declaredLines(plugin, pluginsInFolderOf(plugin, plugins));
	if (isDeepStrictEqual(here, declared)) await live.agree(plugin);
	else
		throw new Failure(
			"NOT_ALLOWED",
			vscode.l10n.t(
				"The plugin was added, but is configured differently here. Check it with “Review Plugin” in the Plugins view.",
			),
		);
}
