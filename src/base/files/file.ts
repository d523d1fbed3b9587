import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Failure, messageOf } from "../failure.ts";
import { fieldOf } from "../values.ts";

/** Whether an error means that a file is missing. False if the file's parent is not a folder. */
export function isMissing(thrown: unknown): boolean {
	return codeOf(thrown) === "ENOENT";
}

/** Whether an error means that a file is missing or that the file's parent is not a folder. */
export function isGone(thrown: unknown): boolean {
	return isMissing(thrown) || codeOf(thrown) === "ENOTDIR";
}

export function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

/** Runs an operation on the disk. Turns errors into failures with advice for the user. */
export async function onDisk<Result>(doing: string, step: () => Promise<Result>): Promise<Result> {
	try {
		return await step();
	} catch (cause) {
		if (cause instanceof Failure) throw cause;
		const advice =
			codeOf(cause) === "ENOSPC" ? "Free up space on the disk." : "Check the permissions of that folder.";
		throw new Failure("STORE_UNREADABLE", `${doing} failed (${messageOf(cause)}). ${advice}`, { cause });
	}
}

export function undefinedIfMissing(thrown: unknown): undefined {
	if (!isMissing(thrown)) throw thrown;
}

export function undefinedIfGone(thrown: unknown): undefined {
	if (!isGone(thrown)) throw thrown;
}

export async function isFolder(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Size of a file in bytes; 0 if the file is missing. */
export async function sizeOf(path: string): Promise<number> {
	return (await stat(path).catch(undefinedIfMissing))?.size ?? 0;
}

/** Prevents following a symbolic link and blocking on a pipe. Windows supports neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Synchronous, because awaiting the event loop takes longer than reading a small file from the disk. */
export function readRegularFile(path: string, maxBytes: number) {
	const file = openSync(path, FLAGS);
	try {
		const stats = fstatSync(file);
		if (!stats.isFile()) throw new Error("it is not a regular file");
		if (stats.size > maxBytes) throw new Error(`it is larger than ${maxBytes / 1_000_000} MB`);
		// The stat precedes the read, so a change during the read is noticed later.
		return { bytes: readUpTo(file, stats.size), modifiedMs: stats.mtimeMs };
	} finally {
		closeSync(file);
	}
}

/** Reads at most `size` bytes; fewer if the file shrinks meanwhile. */
function readUpTo(file: number, size: number): Uint8Array {
	const bytes = new Uint8Array(size);
	let filled = 0;
	while (filled < size) {
		const count = readSync(file, bytes, filled, size - filled, filled);
		if (count === 0) break;
		filled += count;
	}
	return bytes.subarray(0, filled);
}

export interface Replacing {
	readonly platform: NodeJS.Platform;
	rename(from: string, to: string): Promise<void>;
	pause(milliseconds: number): Promise<unknown>;
}

const REPLACING: Replacing = { platform: process.platform, rename, pause: setTimeout };

/** Replaces a file by another file. Retries on Windows, which refuses while a virus scanner reads one of the files. */
export async function replaceFile(from: string, to: string, how: Replacing = REPLACING): Promise<void> {
	for (let left = 8, pause = 5; ; left--, pause *= 2)
		try {
			return await how.rename(from, to);
		} catch (thrown) {
			const isHeld = /^(EPERM|EACCES|EBUSY)$/.test(`${fieldOf(thrown, "code")}`);
			if (how.platform !== "win32" || !isHeld || left <= 1) throw thrown;
			await how.pause(pause);
		}
}

/** A marker file for a task that has begun, so that the task can be completed after a crash. */
export function createIntent(path: string) {
	return {
		/** Start of the task by the clock of the file system, in milliseconds since 1970; `undefined` without a task. */
		begunAt: async () => (await stat(path).catch(undefinedIfGone))?.mtimeMs,
		begin: async () => {
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			// Write some text, because rewriting an empty file might not update its time.
			await writeFile(path, "begun\n", { mode: 0o600 });
		},
		end: () => rm(path, { force: true }),
	};
}

/** Text of a file in the first folder that contains the file; `undefined` if no folder does. */
export async function readInFirst(folders: readonly string[], path: string): Promise<string | undefined> {
	for (const folder of folders) {
		const text = await readFile(join(folder, path), "utf8").catch(undefinedIfMissing);
		if (text !== undefined) return text;
	}
	return undefined;
}

export async function folderSize(folder: string): Promise<number> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
	const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
	return stats.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
