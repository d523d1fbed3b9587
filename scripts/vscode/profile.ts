import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Quiet, and trusting the folder that it is given: a dialog would wait for somebody who is not there. */
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

/** Trusts no folder, and asks nobody whether it should. */
export const RESTRICTED = {
	"security.workspace.trust.enabled": true,
	"security.workspace.trust.startupPrompt": "never",
	"security.workspace.trust.banner": "never",
};

/** Puts our settings, and those given, into a folder for user data, unless it has settings of its own. */
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

/** Arguments of a desktop VS Code that keeps everything in a folder of ours; as root it starts only so. */
export function desktopArguments(dataFolder: string): string[] {
	const isolated = ["--user-data-dir", dataFolder, "--extensions-dir", join(dataFolder, "extensions")];
	return process.getuid?.() === 0 ? [...isolated, "--no-sandbox"] : isolated;
}

/** Installs extensions as links, beside those that are installed already. */
export async function linkExtensions(extensions: readonly string[], folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	// VS Code keeps a list of what is installed, and looks at the folder itself only where there is no list.
	await rm(join(folder, "extensions.json"), { force: true });
	for (const extension of extensions) {
		const manifest = await readFile(join(extension, "package.json"), "utf8");
		const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
		const link = join(folder, `${publisher}.${name}-${version}`);
		await rm(link, { force: true });
		await symlink(extension, link, "junction");
	}
}
