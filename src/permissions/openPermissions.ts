import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../base/failure.ts";
import type { Permissions } from "../core/permission/permission.ts";
import type { PluginConsents } from "../core/plugin/consent.ts";
import type { PermissionData } from "../core/storedData.ts";
import { managedRulesOf, type PermissionSettings } from "./managedRules.ts";
import { createPermissions } from "./permissions.ts";
import { createPluginConsents } from "./records/pluginConsents.ts";
import { createStoredPermissions } from "./records/storedPermissions.ts";
import { readSettingsCopy, writeSettingsCopy } from "./settingsCopy.ts";

interface WindowOptions {
	/** Absolute; shared by all windows and programs. */
	readonly folder: string;
	readSettings(): PermissionSettings;
	/** Told once of what is wrong with the rules of the settings. */
	warn(problem: string): void;
}

interface WindowPermissions {
	/** With the rules of the settings as they are at each question. */
	readonly permissions: Permissions;
	readonly stored: PermissionData;
	readonly pluginConsents: PluginConsents;
	/** Lets programs outside of VS Code know the rules of the settings. Never rejects. */
	share(): Promise<void>;
}

/** The permissions of a window. */
export function openPermissions({ folder, readSettings, warn }: WindowOptions): WindowPermissions {
	let told: readonly string[] = [];
	const managedRules = () => {
		const { rules, problems } = managedRulesOf(readSettings());
		if (!isDeepStrictEqual(problems, told)) for (const problem of problems) warn(problem);
		told = problems;
		return rules;
	};
	return {
		permissions: createPermissions({ folder, managedRules, now: Date.now, ignoreCase: IGNORES_CASE }),
		stored: createStoredPermissions(folder),
		pluginConsents: createPluginConsents({ folder, workspaceUri: () => readSettings().workspaceUri }),
		share: () =>
			writeSettingsCopy(folder, readSettings()).catch((thrown) =>
				warn(`Other programs cannot be informed of the rules: ${messageOf(thrown)}`),
			),
	};
}

/** The same permissions for a program without settings of its own: it follows those of the window with this folder. */
export function openPermissionsOutside(folder: string, workspaceUri: string): Permissions {
	const managedRules = () => managedRulesOf(readSettingsCopy(folder, workspaceUri)).rules;
	return createPermissions({ folder, managedRules, now: Date.now, ignoreCase: IGNORES_CASE });
}

/** Case is a matter of the disk; these two systems come with disks that ignore it. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";
