import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Failure, messageOf } from "../failure.ts";
import { fieldOf } from "../values.ts";

/** Whether a file is missing. False if its parent is not a folder: then its state is unknown. */
export function isMissing(thrown: unknown): boolean {
	return codeOf(thrown) === "ENOENT";
}

/** Whether a file is missing, or its parent is no longer a folder. */
export function isGone(thrown: unknown): boolean {
	return isMissing(thrown) || codeOf(thrown) === "ENOTDIR";
}

export function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

/** Runs a step on the disk. Turns its errors into failures with advice for the user. */
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

/** For `catch`: returns `undefined` if a file is missing; rethrows any other error. */
export function undefinedIfMissing(thrown: unknown): undefined {
	if (!isMissing(thrown)) throw thrown;
}

/** For `catch`: returns `undefined` if a file is gone (`isGone`); rethrows any other error. */
export function undefinedIfGone(thrown: unknown): undefined {
	if (!isGone(thrown)) throw thrown;
}

export async function isFolder(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Size of a file in bytes; 0 if it is missing. */
export async function sizeOf(path: string): Promise<number> {
	return (await stat(path).catch(undefinedIfMissing))?.size ?? 0;
}

/** Follows no symbolic links and never blocks. Windows supports neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file synchronously: for small files, awaiting the event loop would take longer than the disk. */
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

/** Reads a growing file only up to `size`, and a shrinking one to its end. */
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

/** System functions that tests replace. */
export interface Replacing {
	readonly platform: NodeJS.Platform;
	rename(from: string, to: string): Promise<void>;
	pause(milliseconds: number): Promise<unknown>;
}

const REPLACING: Replacing = { platform: process.platform, rename, pause: setTimeout };

/** Replaces a file by another. Retries on Windows, which refuses while a program or a virus scanner reads either. */
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

/** A marker file for a task that has begun, so that it can be completed after a crash. */
export function createIntent(path: string) {
	return {
		/** Start by the clock of the file system, in milliseconds since 1970; `undefined` if no task is pending. */
		begunAt: async () => (await stat(path).catch(undefinedIfGone))?.mtimeMs,
		begin: async () => {
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			// Rewriting an empty file might not update its time.
			await writeFile(path, "begun\n", { mode: 0o600 });
		},
		end: () => rm(path, { force: true }),
	};
}

/** Text of a file in the first folder that has it; `undefined` if no folder has it. */
export async function readInFirst(folders: readonly string[], path: string): Promise<string | undefined> {
	for (const folder of folders) {
		const text = await readFile(join(folder, path), "utf8").catch(undefinedIfMissing);
		if (text !== undefined) return text;
	}
	return undefined;
}
