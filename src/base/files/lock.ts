import { randomUUID } from "node:crypto";
import { mkdir, readFile, rmdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf, isGone, replaceFile, undefinedIfGone } from "./file.ts";

const HEARTBEAT_MS = 5_000;
/** If the lock file is older, its owner counts as dead, even if a process with the owner's ID is running. */
const STALE_MS = 30_000;

/** Exclusive right to write into a data folder. A process keeps the lock until it releases the lock or dies. */
export type Lock = ReturnType<typeof createLock>;

export interface Holder {
	readonly id: string;
	readonly name?: string;
	readonly pid: number;
	readonly host: string;
}

/** `name` tells other processes what the owner of the lock works for. */
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
		// Ignore errors: an owner that cannot touch the file counts as dead.
		heartbeat = setInterval(() => touch(path, owner).catch(() => undefined), HEARTBEAT_MS).unref();
		return true;
	};
	return {
		/** Acquires the lock if it is free or its owner is dead. Resolves to whether this process owns the lock. */
		// Concurrent calls share one attempt, because two attempts would compete with each other.
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

/** Whether the call created a file or folder. Of several concurrent calls, only one does. */
async function isNew(make: () => Promise<unknown>): Promise<boolean> {
	try {
		await make();
		return true;
	} catch (thrown) {
		if (codeOf(thrown) === "EEXIST") return false;
		throw thrown;
	}
}

/** Replaces a dead owner's file. Only one process at a time may do so, because two would replace each other's file. */
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
	// A process that died during a takeover must not block all later takeovers.
	if ((await ageOf(turn)) > STALE_MS) await rmdir(turn);
	return false;
}

/** A missing or incomplete file counts as alive, because its owner is just writing the file. */
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

/** Signal 0 only tests whether a process exists. EPERM means that the process belongs to another user. */
function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (thrown) {
		return codeOf(thrown) === "EPERM";
	}
}
