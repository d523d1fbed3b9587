import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { readFolder } from "../../base/files/folderFiles.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import { filesBelow, pluginFoldersIn } from "../../plugins/share/addable.ts";
import { type SharedFiles, unpackPlugin } from "../../plugins/share/archive.ts";

/** A plugin of others, where it was found. */
export interface PluginSource {
	/** That of its folder or archive. */
	readonly name: string;
	/** In words for a person. */
	readonly origin: string;
	readonly files: SharedFiles;
}

/** An archive that is larger is no plugin's. */
const MAX_ARCHIVE = 10_000_000;

/** One of the plugins of a folder, of a clone or of an archive that the person selects. */
export async function pickPluginSource(): Promise<PluginSource | undefined> {
	const kinds = [
		{
			label: vscode.l10n.t("From a Folder"),
			detail: vscode.l10n.t("or a clone of a repository"),
			isFolder: true,
		},
		{ label: vscode.l10n.t("From an Archive"), detail: vscode.l10n.t("a zip file"), isFolder: false },
	];
	const kind = await vscode.window.showQuickPick(kinds, { title: vscode.l10n.t("Add Plugin") });
	if (!kind) return undefined;
	const [picked] =
		(await vscode.window.showOpenDialog({
			title: vscode.l10n.t("Add Plugin"),
			canSelectFolders: kind.isFolder,
			canSelectFiles: !kind.isFolder,
			...(!kind.isFolder && { filters: { Zip: ["zip"] } }),
		})) ?? [];
	if (!picked) return undefined;
	return kind.isFolder ? fromFolder(picked.fsPath) : fromArchive(picked.fsPath);
}

async function fromFolder(folder: string): Promise<PluginSource | undefined> {
	const folders = await pluginFoldersBelow(folder);
	const chosen = await pickOne(folders);
	if (chosen === undefined) return undefined;
	const path = join(folder, chosen);
	return { name: basename(path), origin: vscode.l10n.t("From {0}", path), files: readFolder(path) };
}

/** Only by name: a repository has far more than its plugins. */
async function pluginFoldersBelow(folder: string): Promise<string[]> {
	const inner = await Promise.all(
		["", `${PLUGINS_FOLDER}/`].map(async (place) =>
			(await readdir(join(folder, place)).catch(() => [])).map((name) => `${place}${name}/`),
		),
	);
	const files = ["", ...inner.flat()].map((name) => `${name}plugin.yaml`);
	return pluginFoldersIn(files.filter((name) => existsSync(join(folder, name))));
}

async function fromArchive(path: string): Promise<PluginSource | undefined> {
	const { bytes } = readRegularFile(path, MAX_ARCHIVE);
	const hash = createHash("sha256").update(bytes).digest("hex");
	checkHash(path, hash);
	const files = unpackPlugin(bytes);
	const chosen = await pickOne(pluginFoldersIn(files.keys()));
	if (chosen === undefined) return undefined;
	const name = chosen === "" ? basename(path, extname(path)) : basename(chosen);
	return {
		name,
		origin: vscode.l10n.t("From {0}, SHA-256 {1}", path, hash),
		files: filesBelow(files, chosen),
	};
}

/** Beside an archive that was packaged here is a file with its hash. */
function checkHash(path: string, hash: string): void {
	const beside = `${path}.sha256`;
	if (!existsSync(beside) || readFileSync(beside, "utf8").trim().startsWith(hash)) return;
	throw new Failure(
		"BAD_INPUT",
		vscode.l10n.t(
			"{0} is not what was packaged: its SHA-256 is {1}, but {2} in {3} says something else.",
			basename(path),
			hash,
			basename(beside),
			dirname(path),
		),
	);
}

async function pickOne(folders: readonly string[]): Promise<string | undefined> {
	if (folders.length === 0)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("There is no plugin here: a plugin is a folder with a plugin.yaml in it."),
		);
	if (folders.length === 1) return folders[0];
	return vscode.window.showQuickPick(folders, { title: vscode.l10n.t("Select a plugin") });
}
