import { stat } from "node:fs/promises";
import { Failure, messageOf } from "../failure.ts";

/** Whether a file is missing. Not true if its folder is a file: then nothing is known. */
export function isMissing(thrown: unknown): boolean {
	return codeOf(thrown) === "ENOENT";
}

/** Whether a file is not there any more, or something else stands in its folder's place. */
export function isGone(thrown: unknown): boolean {
	return isMissing(thrown) || codeOf(thrown) === "ENOTDIR";
}

/** Whether a file or folder of that name is there already. */
export function isTaken(thrown: unknown): boolean {
	return codeOf(thrown) === "EEXIST";
}

export function codeOf(thrown: unknown): string {
	return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

/** Runs a step on the disk. Its errors become failures that the user can act on. */
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

/** Bytes of a file; none if it is missing. */
export async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (thrown) {
		if (isMissing(thrown)) return 0;
		throw thrown;
	}
}
