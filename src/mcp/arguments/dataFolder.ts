import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";

/** The default place for the indexes of all workspaces: a cache, since they can be rebuilt. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
	return join(userCache(env, platform), "copilot-ld");
}

/** The folder of one index, whatever the order in which its workspaces are given. Paths are absolute. */
export function dataFolderOf(cache: string, workspaces: readonly string[]): string {
	const names = [...workspaces].sort().join("\n");
	return join(cache, createHash("sha256").update(names).digest("hex").slice(0, 16));
}

function userCache({ XDG_CACHE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
	if (platform === "win32") return LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
	if (platform === "darwin") return join(homedir(), "Library", "Caches");
	return XDG_CACHE_HOME || join(homedir(), ".cache");
}
