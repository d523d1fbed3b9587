import { randomUUID } from "node:crypto";
import { mkdir, readFile, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf, isGone, replaceFile, undefinedIfGone } from "./file.ts";

const HEARTBEAT_MS = 5_000;
/** After this long without a touch an owner counts as dead, even if a process with its number is alive. */
const STALE_MS = 30_000;

/** The right to write into a data folder: one process has it, until it gives it back or dies. */
export type Lock = ReturnType<typeof createLock>;

export interface Holder {
	readonly id: string;
	readonly name?: string;
	readonly pid: number;
	readonly host: string;
}

/** `name` says to others what this process works for. */
export function createLock(dataFolder: string, name?: string) {
	const path = join(dataFolder, "indexer.lock");
	const owner: Holder = { id: randomUUID(), pid: process.pid, host: hostname(), ...(name && { name }) };
	let heartbeat: NodeJS.Timeout | undefined;
	let acquiring: Promise<boolean> | undefined;
	const acquireNow = async () => {
		if (await isOwnedBy(owner, path)) return true;
		clearInterval(heartbeat);
		await mkdir(dataFolder, { recursive: true });
		const draft = JSON.stringify(owner);
		const isFirst = await isNew(() => writeFile(path, draft, { flag: "wx" }));
		if (!isFirst && !(await takeOver(path, owner))) return false;
		// An owner that cannot touch its file counts as dead in time.
		heartbeat = setInterval(() => touch(path, owner).catch(() => undefined), HEARTBEAT_MS).unref();
		return true;
	};
	return {
		/** Takes the lock if it is free or its owner is dead; resolves to whether it is ours now. */
		// Two who ask at once in this process must not take each other for another one.
		acquire: () => {
			acquiring ??= acquireNow().finally(() => {
				acquiring = undefined;
			});
			return acquiring;
		},
		release: async () => {
			clearInterval(heartbeat);
			if (await isOwnedBy(owner, path)) await unlink(path);
		},
		holder: () => readOwner(path),
	};
}

/** Whether a step makes what is not there yet: of several at once, one does. */
async function isNew(make: () => Promise<unknown>): Promise<boolean> {
	try {
		await make();
		return true;
	} catch (thrown) {
		if (codeOf(thrown) === "EEXIST") return false;
		throw thrown;
	}
}

/** Only one at a time may replace a dead owner's file: a second one would replace that of the first. */
async function takeOver(path: string, owner: Holder): Promise<boolean> {
	const turn = `${path}.turn`;
	if (!(await enter(turn))) return false;
	try {
		if (await isAlive(path)) return false;
		const draft = `${path}.${owner.id}`;
		await writeFile(draft, JSON.stringify(owner));
		await replaceFile(draft, path);
		return true;
	} finally {
		await rmdir(turn);
	}
}

async function enter(turn: string): Promise<boolean> {
	if (await isNew(() => mkdir(turn))) return true;
	// A process that died during a takeover must not block all later ones.
	if ((await ageOf(turn)) > STALE_MS) await rmdir(turn);
	return false;
}

/** A file that is not there, or not written to its end, is someone's who is just arriving. */
async function isAlive(path: string): Promise<boolean> {
	if ((await ageOf(path)) > STALE_MS) return false;
	const owner = await readOwner(path);
	return owner?.host !== hostname() || isRunning(owner.pid);
}

async function isOwnedBy(owner: Holder, path: string): Promise<boolean> {
	return (await readOwner(path))?.id === owner.id;
}

async function readOwner(path: string): Promise<Holder | undefined> {
	try {
		return JSON.parse(await readFile(path, "utf8")) as Holder;
	} catch (thrown) {
		if (isGone(thrown) || thrown instanceof SyntaxError) return undefined;
		throw thrown;
	}
}

async function touch(path: string, owner: Holder): Promise<void> {
	const now = new Date();
	if (await isOwnedBy(owner, path)) await utimes(path, now, now);
}

async function ageOf(path: string): Promise<number> {
	const found = await stat(path).catch(undefinedIfGone);
	return found ? Date.now() - found.mtimeMs : 0;
}

/** Signal 0 only asks. A process of another user cannot be signaled, but it exists. */
function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (thrown) {
		return codeOf(thrown) === "EPERM";
	}
}
