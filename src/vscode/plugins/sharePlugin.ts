import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { readRegularFile } from "../../base/files/file.ts";
import { executablesAmong, readFolder } from "../../base/files/folderFiles.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { PLUGINS_FOLDER, type PluginDefinition } from "../../core/plugin/plugin.ts";
import { personHome } from "../../loads/cliHome.ts";
import { effectiveConfig } from "../../plugins/manifest/config.ts";
import type { PluginManifest } from "../../plugins/manifest/readManifest.ts";
import { filesBelow, pluginFoldersIn, pluginNameFor, readAddable } from "../../plugins/share/addable.ts";
import { executablesIn, packPlugin, unpackPlugin } from "../../plugins/share/archive.ts";
import { agreedWith, pluginsInFolderOf } from "../../plugins/share/requireAgreed.ts";
import { confirmLines } from "../confirmLines.ts";
import { amounts } from "../l10n.ts";
import { requireTrust } from "../registerEach.ts";
import { type Declaring, declaredLines, SHORT, shown } from "./declaredLines.ts";
import type { LivePlugins } from "./livePlugins.ts";
import { askPluginName } from "./pluginActions.ts";

export async function packagePlugin(live: LivePlugins, given?: PluginDefinition): Promise<void> {
	const plugin = given ?? (await pickPlugin(live));
	if (!plugin) return;
	const { artifactId, version, source } = plugin;
	const folder = dirname(vscode.Uri.parse(source.uri).fsPath);
	const files = readFolder(folder);
	const bytes = packPlugin(files, executablesAmong(folder, files.keys()));
	const title = vscode.l10n.t("Package Plugin");
	const defaultUri = vscode.Uri.file(join(folder, "..", "..", "..", `${artifactId}-${version}.zip`));
	const uri = await vscode.window.showSaveDialog({ title, defaultUri, filters: { Zip: ["zip"] } });
	if (!uri) return;
	const sum = hash("sha256", bytes);
	await writeFile(uri.fsPath, bytes);
	await writeFile(`${uri.fsPath}.sha256`, `${sum}  ${basename(uri.fsPath)}\n`);
	const message = vscode.l10n.t("{0} is packaged. Its SHA-256 is {1}.", plugin.name, sum);
	void vscode.window.showInformationMessage(message);
}

async function pickPlugin({ registry }: LivePlugins): Promise<PluginDefinition | undefined> {
	const { plugins } = await registry();
	const items = plugins.map((plugin) => ({ label: plugin.name, description: plugin.version, plugin }));
	const placeHolder = vscode.l10n.t("Select a plugin");
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.plugin;
}

/** Shows what a plugin, and the plugins in its folder, declare now, and allows it if the user agrees. */
export async function reviewPlugin(live: LivePlugins, given: PluginDefinition): Promise<void> {
	requireTrust(vscode.l10n.t("Nothing is run in an untrusted folder. Trust the folder first."));
	const plugins = await pluginsNow(live);
	const found = plugins.find(({ name, source }) => name === given.name && source.uri === given.source.uri);
	const plugin = found && (agreedWith(found, plugins) ?? found);
	if (!plugin)
		throw new Failure("NOT_FOUND", vscode.l10n.t("The plugin no longer exists, or its file has errors."));
	const question = REVIEWS[await live.consentStateOf(plugin)](plugin.name);
	const lines = declaredLines(plugin, pluginsInFolderOf(plugin, plugins));
	if (await confirmLines(question, lines, vscode.l10n.t("Allow"))) await live.agree(plugin);
}

/** Reads the plugins again, because the view may be out of date. */
async function pluginsNow(live: LivePlugins): Promise<readonly PluginDefinition[]> {
	live.refresh();
	return (await live.registry()).plugins;
}

const REVIEWS = {
	agreed: (name: string) => vscode.l10n.t("You have allowed this of the plugin {0}.", name),
	changed: (name: string) => vscode.l10n.t("The plugin {0} has changed. Allow it as it is now?", name),
	unseen: (name: string) => vscode.l10n.t("Allow the plugin {0} to do this?", name),
} as const;

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
	const uri = await writePlugin(join(home.fsPath, PLUGINS_FOLDER, name), from);
	await agreeTo(live, uri, declared);
	await vscode.window.showTextDocument(uri);
}

function configured({ config, ...manifest }: PluginManifest): Declaring {
	return { ...manifest, config: effectiveConfig([{ origin: "plugin", config }]) };
}

async function pickHome(title: string): Promise<vscode.Uri | undefined> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const home = vscode.Uri.file(personHome(process.env));
	const own = { label: vscode.l10n.t("For Me, in All Workspaces"), uri: home };
	const here = folder ? [{ label: vscode.l10n.t("For This Workspace"), uri: folder.uri }] : [];
	return (await vscode.window.showQuickPick([...here, own], { title }))?.uri;
}

/** Writes a plugin's files, and `plugin.yaml` last: a folder without it is not a plugin. Overwrites nothing. */
async function writePlugin(folder: string, { files, executable }: PluginSource): Promise<vscode.Uri> {
	const ordered = [...files].sort(([a], [b]) => Number(a === "plugin.yaml") - Number(b === "plugin.yaml"));
	for (const [name, bytes] of ordered) {
		const path = join(folder, name);
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, bytes, { flag: "wx", mode: executable.has(name) ? 0o777 : 0o666 });
	}
	return vscode.Uri.file(join(folder, "plugin.yaml"));
}

/** Agrees to a plugin if the user was shown all its declarations, to which the workspace may have added. */
async function agreeTo(live: LivePlugins, uri: vscode.Uri, declared: readonly string[]): Promise<void> {
	const plugins = await pluginsNow(live);
	const plugin = plugins.find(({ source }) => vscode.Uri.parse(source.uri).fsPath === uri.fsPath);
	const broken = vscode.l10n.t("The plugin was added, but is not available. The Plugins view says why.");
	if (!plugin) throw new Failure("NOT_FOUND", broken);
	const here = declaredLines(plugin, pluginsInFolderOf(plugin, plugins));
	const differs = vscode.l10n.t(
		"The plugin was added, but is configured differently here. Check it with “Review Plugin” in the Plugins view.",
	);
	if (!isDeepStrictEqual(here, declared)) throw new Failure("NOT_ALLOWED", differs);
	await live.agree(plugin);
}

type PluginSource = NonNullable<Awaited<ReturnType<typeof pickPluginSource>>>;

const MAX_ARCHIVE = 10_000_000;

async function pickPluginSource() {
	const title = vscode.l10n.t("Add Plugin");
	const kinds = [
		{
			label: vscode.l10n.t("From a Folder"),
			detail: vscode.l10n.t("or a clone of a repository"),
			dialog: { title, canSelectFolders: true, canSelectFiles: false },
			read: fromFolder,
		},
		{
			label: vscode.l10n.t("From an Archive"),
			detail: vscode.l10n.t("a zip file"),
			dialog: { title, filters: { Zip: ["zip"] } },
			read: fromArchive,
		},
	];
	const kind = await vscode.window.showQuickPick(kinds, { title });
	const [picked] = (kind && (await vscode.window.showOpenDialog(kind.dialog))) ?? [];
	return picked && kind?.read(picked.fsPath);
}

async function fromFolder(folder: string) {
	const folders = await pluginFoldersBelow(folder);
	const chosen = await pickOne(folders);
	if (chosen === undefined) return undefined;
	const path = join(folder, chosen);
	const files = readFolder(path);
	const executable = executablesAmong(path, files.keys());
	return { name: basename(path), origin: vscode.l10n.t("From {0}", path), files, executable };
}

/** Finds plugins by file names only, because a repository has far more than plugins. */
async function pluginFoldersBelow(folder: string): Promise<string[]> {
	const inner = await Promise.all(
		["", `${PLUGINS_FOLDER}/`].map(async (place) =>
			(await readdir(join(folder, place)).catch(() => [])).map((name) => `${place}${name}/`),
		),
	);
	const files = ["", ...inner.flat()].map((name) => `${name}plugin.yaml`);
	return pluginFoldersIn(files.filter((name) => existsSync(join(folder, name))));
}

async function fromArchive(path: string) {
	const { bytes } = readRegularFile(path, MAX_ARCHIVE);
	const sum = hash("sha256", bytes);
	checkHash(path, sum);
	const files = unpackPlugin(bytes);
	const chosen = await pickOne(pluginFoldersIn(files.keys()));
	if (chosen === undefined) return undefined;
	const name = chosen === "" ? basename(path, extname(path)) : basename(chosen);
	const origin = vscode.l10n.t("From {0}, SHA-256 {1}", path, sum);
	const executable = [...executablesIn(bytes)].filter((one) => one.startsWith(chosen));
	const below = new Set(executable.map((one) => one.slice(chosen.length)));
	return { name, origin, files: filesBelow(files, chosen), executable: below };
}

/** Compares an archive with the file that `packagePlugin` writes beside it, which contains its hash. */
function checkHash(path: string, sum: string): void {
	const beside = `${path}.sha256`;
	if (!existsSync(beside) || readFileSync(beside, "utf8").trim().startsWith(sum)) return;
	const differs = vscode.l10n.t(
		"{0} is not what was packaged: its SHA-256 is {1}, but {2} in {3} says something else.",
		...[basename(path), sum, basename(beside), dirname(path)],
	);
	throw new Failure("BAD_INPUT", differs);
}

async function pickOne(folders: readonly string[]): Promise<string | undefined> {
	const none = vscode.l10n.t("There is no plugin here: a plugin is a folder with a plugin.yaml in it.");
	if (folders.length === 0) throw new Failure("NOT_FOUND", none);
	if (folders.length === 1) return folders[0];
	return vscode.window.showQuickPick(folders, { title: vscode.l10n.t("Select a plugin") });
}
