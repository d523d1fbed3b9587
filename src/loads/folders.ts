import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const GIT_MS = 5000;
const run = promisify(execFile);

/**
 * Lists the session's folder and the folders above it. `near` are the folders from which the CLI may load anything;
 * `above` are the further folders up to the top, if outside a repository. The CLI goes up from the folder's name
 * and from its real path. It recognizes two kinds of repository: Git's own, and any folder with an entry `.git`. If
 * a link bypasses Git's root, the CLI continues to the top.
 */
export async function loadFolders(folder: string) {
	const root = await gitRoot(folder);
	const real = await realpath(folder).catch(() => folder);
	const starts = [...new Set([real, resolve(folder)])];
	const ways = starts.map((start) => cut(ancestors(start), root));
	const near = new Set(ways.flatMap((way) => way.near));
	const above = new Set(ways.flatMap((way) => way.above).filter((path) => !near.has(path)));
	return { near: [...near], above: [...above] };
}

function cut(way: readonly string[], root: string | undefined) {
	if (root !== undefined) {
		const end = way.indexOf(root);
		return { near: end < 0 ? way : way.slice(0, end + 1), above: [] };
	}
	const marked = way.findIndex((folder) => existsSync(join(folder, ".git")));
	const end = Math.max(marked, 0) + 1;
	return { near: way.slice(0, end), above: way.slice(end) };
}

/** Git's root; `undefined` without Git or outside a repository, as in the CLI. */
async function gitRoot(folder: string): Promise<string | undefined> {
	try {
		const options = { cwd: folder, timeout: GIT_MS, windowsHide: true };
		const { stdout } = await run("git", ["rev-parse", "--show-toplevel"], options);
		return resolve(stdout.replace(/\r?\n$/, ""));
	} catch {
		return undefined;
	}
}

function ancestors(folder: string): string[] {
	const above = dirname(folder);
	return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** Lists a folder and the folders above it, up to its repository's root. Never runs Git on untrusted data. */
export async function agentFolders(folder: string) {
	const way = ancestors(resolve(folder));
	const marked = await Promise.all(way.map(isRepository));
	const end = marked.indexOf(true);
	const root = way[end];
	return { way: root === undefined ? way : way.slice(0, end + 1), root };
}

/** Whether a folder has a `.git` folder, or a `.git` file as in worktrees and submodules. */
async function isRepository(folder: string): Promise<boolean> {
	const mark = join(folder, ".git");
	if (existsSync(join(mark, "HEAD"))) return true;
	const stats = await lstat(mark).catch(() => undefined);
	return stats?.isFile() === true;
}
