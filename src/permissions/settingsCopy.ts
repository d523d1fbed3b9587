import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../base/files/replaceFile.ts";
import { isRecord } from "../base/values.ts";
import { folderPath } from "./arguments/folderPath.ts";
import type { PermissionSettings } from "./managedRules.ts";

/** Tells programs outside VS Code the rules in a window's settings. The write is atomic. */
export async function writeSettingsCopy(folder: string, settings: PermissionSettings): Promise<void> {
	await mkdir(folder, { recursive: true });
	const path = pathOf(folder, settings.workspaceUri);
	const draft = `${path}.${randomUUID()}`;
	await writeFile(draft, JSON.stringify(settings), { mode: 0o600 });
	await replaceFile(draft, path);
}

/** A folder that no window has opened has no rules. Throws if there are rules that cannot be read. */
export function readSettingsCopy(folder: string, workspaceUri: string): PermissionSettings {
	const nothing = { user: undefined, workspace: [], workspaceUri };
	try {
		const copy: unknown = JSON.parse(readFileSync(pathOf(folder, workspaceUri), "utf8"));
		if (!isRecord(copy) || !Array.isArray(copy["workspace"]))
			throw new Error("It was not written by VS Code.");
		return { ...nothing, user: copy["user"], workspace: copy["workspace"] };
	} catch (thrown) {
		if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return nothing;
		throw thrown;
	}
}

function pathOf(folder: string, workspaceUri: string): string {
	const name = createHash("sha256").update(folderPath(workspaceUri)).digest("hex").slice(0, 32);
	return join(folder, `settings-${name}.json`);
}
