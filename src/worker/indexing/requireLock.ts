import { hostname } from "node:os";
import { Failure } from "../../base/failure.ts";
import type { Holder, Lock } from "../../base/files/lock.ts";

type Purpose = "index" | "rebuild" | "describe" | "clear";

/** Takes the write lock. Throws BUSY if another process has it, and says which. */
export async function requireLock(lock: Lock, purpose: Purpose): Promise<void> {
	// Acquire again: the lock may have been lost while the computer was asleep.
	if (await lock.acquire()) return;
	throw new Failure(
		"BUSY",
		`${describe(await lock.holder())} keeps this index up to date. ${WHAT_NOW[purpose]}`,
	);
}

const LONGEST_NAME = 80;

const WHAT_NOW: Readonly<Record<Purpose, string>> = {
	index: "You can search it here as usual. It will be kept up to date from here when the other program ends.",
	rebuild: "Only that one may rebuild the index: close it, then rebuild the index here.",
	describe: "Describe its documents there, or close that one.",
	clear: "Only that one may clear the index: close it, then clear the index here.",
};

function describe(holder: Holder | undefined): string {
	if (!holder) return "Another program";
	const { name = "Another program", pid, host } = holder;
	return `${wordsOf(name)} (process ${Number(pid)}${host === hostname() ? "" : ` on ${wordsOf(host)}`})`;
}

/** Removes markup from a name that another program chose: the editor's messages may contain links. */
function wordsOf(name: string): string {
	return String(name)
		.replace(/[^\p{L}\p{N} ._-]/gu, "")
		.slice(0, LONGEST_NAME);
}
