import { hostname } from "node:os";
import { Failure } from "../../base/failure.ts";
import type { Holder, Lock } from "../../base/files/lock.ts";

type Purpose = "index" | "rebuild" | "describe" | "clear";

/** Takes the write lock. Throws BUSY with the name of the program that has the lock. */
export async function requireLock(lock: Lock, purpose: Purpose): Promise<void> {
	// Acquire the lock again, because it may have been lost while the computer was asleep.
	if (await lock.acquire()) return;
	throw new Failure(
		"BUSY",
		`${describe(await lock.holder())} keeps this index up to date. ${WHAT_NOW[purpose]}`,
	);
}

const LONGEST_NAME = 80;

const WHAT_NOW: Readonly<Record<Purpose, string>> = {
	index: "You can search it here as usual. It will be kept up to date from here when the other program ends.",
	rebuild: "Only that program may rebuild the index: close that program, then rebuild the index here.",
	describe: "Describe the documents in that program, or close that program.",
	clear: "Only that program may clear the index: close that program, then clear the index here.",
};

function describe(holder: Holder | undefined): string {
	if (!holder) return "Another program";
	const { name = "Another program", pid, host } = holder;
	return `${wordsOf(name)} (process ${Number(pid)}${host === hostname() ? "" : ` on ${wordsOf(host)}`})`;
}

/** Another program chose the name, and messages of the editor may contain links, so markup is removed. */
function wordsOf(name: string): string {
	return String(name)
		.replace(/[^\p{L}\p{N} ._-]/gu, "")
		.slice(0, LONGEST_NAME);
}
