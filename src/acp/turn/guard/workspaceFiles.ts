import { execFile } from "node:child_process";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface WorkspaceFiles {
	/** Size and times, by absolute path. */
	readonly marks: ReadonlyMap<string, string>;
	/** The folder has more files than we look at. */
	readonly isCut: boolean;
}

/** Looking at this many takes one or two tenths of a second. */
const MAX_FILES = 10_000;
const AT_ONCE = 200;
const GIT_MS = 5000;
const GIT_BYTES = 16 * 1024 * 1024;

/** Large folders that programs generate. */
const SKIPPED = new Set(["node_modules", ".git", ".venv", "__pycache__"]);

const run = promisify(execFile);

/** With git: the files that it knows or does not ignore, and its own configuration. Without: every file. */
export async function workspaceFiles(folder: string, maxFiles = MAX_FILES): Promise<WorkspaceFiles> {
	const listed = (await filesOfGit(folder)) ?? (await filesBelow(folder, maxFiles));
	const paths = listed.slice(0, maxFiles);
	const marks = new Map<string, string>();
	for (let start = 0; start < paths.length; start += AT_ONCE) {
		const some = paths.slice(start, start + AT_ONCE);
		const found = await Promise.all(some.map(markOf));
		for (const [index, path] of some.entries()) if (found[index]) marks.set(path, found[index]);
	}
	return { marks, isCut: listed.length > maxFiles };
}

export function changedFiles(before: WorkspaceFiles, after: WorkspaceFiles): string[] {
	const paths = new Set([...before.marks.keys(), ...after.marks.keys()]);
	// When the list is cut off, a new file pushes out another, which then only seems to be gone.
	const isSure = (path: string) =>
		!(before.isCut || after.isCut) || (before.marks.has(path) && after.marks.has(path));
	return [...paths].filter((path) => isSure(path) && before.marks.get(path) !== after.marks.get(path));
}

async function filesOfGit(folder: string): Promise<string[] | undefined> {
	const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
	try {
		const options = { cwd: folder, timeout: GIT_MS, maxBuffer: GIT_BYTES, windowsHide: true };
		const { stdout } = await run("git", args, options);
		const own = [".git/config", ".git/HEAD", ".git/index.lock"].map((name) => join(folder, name));
		const hooks = await filesBelow(join(folder, ".git", "hooks"), 100);
		const names = new Set(stdout.split("\0").filter(Boolean));
		return [...own, ...hooks, ...[...names].map((name) => join(folder, name))];
	} catch {
		// No git, no repository, or too large a one.
		return undefined;
	}
}

async function filesBelow(folder: string, max: number): Promise<string[]> {
	const files: string[] = [];
	const folders = [folder];
	for (let next = folders.shift(); next !== undefined && files.length <= max; next = folders.shift()) {
		const at = next;
		const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			if (!entry.isDirectory()) files.push(join(at, entry.name));
			else if (!SKIPPED.has(entry.name)) folders.push(join(at, entry.name));
		}
	}
	return files;
}

/** `ctime` also gives away a file whose modification time was set back. */
async function markOf(path: string): Promise<string | undefined> {
	const found = await lstat(path).catch(() => undefined);
	return found && `${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.mode}`;
}
