import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Settings without dialogs, which would wait for a user, and with trust in the opened folder. */
const SETTINGS = {
	"security.workspace.trust.enabled": false,
	"telemetry.telemetryLevel": "off",
	"update.mode": "none",
	"extensions.autoCheckUpdates": false,
	"extensions.autoUpdate": false,
	"git.openRepositoryInParentFolders": "never",
	"workbench.startupEditor": "none",
	"workbench.welcomePage.walkthroughs.openOnInstall": false,
};

/** Settings that trust no folder, and do not ask for trust. */
export const RESTRICTED = {
	"security.workspace.trust.enabled": true,
	"security.workspace.trust.startupPrompt": "never",
	"security.workspace.trust.banner": "never",
};

/** Writes our settings and `more` into a folder for user data, unless it already has settings. */
export async function presetSettings(userFolder: string, more: object = {}): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	const file = join(userFolder, "settings.json");
	const exists = (error: NodeJS.ErrnoException) => {
		if (error.code !== "EEXIST") throw error;
	};
	await writeFile(file, JSON.stringify({ ...SETTINGS, ...more }, undefined, "\t"), { flag: "wx" }).catch(
		exists,
	);
}

/** Arguments of a desktop VS Code that keeps all data in our folder, and that also starts as root. */
export function desktopArguments(dataFolder: string): string[] {
	const isolated = ["--user-data-dir", dataFolder, "--extensions-dir", join(dataFolder, "extensions")];
	return process.getuid?.() === 0 ? [...isolated, "--no-sandbox"] : isolated;
}

/** Installs extensions as links, in addition to installed ones. */
export async function linkExtensions(extensions: readonly string[], folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	// VS Code reads the folder itself only if its list of installed extensions is missing.
	await rm(join(folder, "extensions.json"), { force: true });
	for (const extension of extensions) {
		const manifest = await readFile(join(extension, "package.json"), "utf8");
		const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
		const link = join(folder, `${publisher}.${name}-${version}`);
		await rm(link, { force: true });
		await symlink(extension, link, "junction");
	}
}
