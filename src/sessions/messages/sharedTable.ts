import { rm } from "node:fs/promises";
import type { Lock } from "../../base/files/lock.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { type MessageTable, makeMessageTable, openMessageTable, type TableOptions } from "./messageTable.ts";

export type WriteLock = Pick<Lock, "acquire" | "release">;

/** A table that several processes read and one at a time writes. It is rebuilt if it stays broken. */
export type SharedTable = ReturnType<typeof createSharedTable>;

const ENOUGH_FAILURES = 2;

export function createSharedTable(options: TableOptions, lock: WriteLock) {
	let table: MessageTable | undefined;
	let version: number | undefined;
	let failures = 0;
	const close = async () => {
		const closed = table;
		[table, version] = [undefined, undefined];
		await closed?.close();
	};
	const locked = createLocked(lock);
	const openOnce = coalesce(async () => {
		if (failures < ENOUGH_FAILURES) table ??= await openMessageTable(options);
		if (table) return;
		await locked(async () => {
			table = await make(options, failures >= ENOUGH_FAILURES);
		});
	});
	const open = async () => {
		if (table && !(await table.isCurrent())) throw new Error("The index of messages was made anew.");
		return table ?? openOnce().then(() => table);
	};
	return {
		/** Opens it, or makes it. `undefined` if another process is making it; rejects if one has rebuilt it since. */
		open,
		close,
		/** Runs a step while no other process writes; resolves to whether it could. */
		write: async (step: (table: MessageTable) => Promise<void>) => {
			const opened = await open();
			return opened !== undefined && locked(() => step(opened));
		},
		/** What another process wrote since the last look, by session the end of what is in it; undefined for nothing new. */
		look: async () => {
			const now = await table?.version();
			if (now === undefined || now === version) return undefined;
			const ends = await table?.ends();
			version = now;
			return ends;
		},
		/** What is in it now is nothing new: this process wrote it. */
		noteOwnWrite: async () => {
			version = await table?.version();
		},
		trust: () => {
			failures = 0;
		},
		/** Reports a failure: the table is opened again, and rebuilt after a second failure in a row. */
		distrust: () => {
			failures++;
			close().catch(() => undefined);
		},
		/** Deletes the folder of the table; resolves to whether that was possible. Processes that have it open rebuild it. */
		discard: (folder: string) =>
			locked(async () => {
				await close();
				await rm(folder, { recursive: true, force: true, maxRetries: 5 });
			}),
	};
}

/** Runs steps one after the other under the lock; each resolves to whether it could be run. */
function createLocked(lock: WriteLock): (step: () => Promise<void>) => Promise<boolean> {
	const steps = createMutex();
	const run = async (step: () => Promise<void>) => {
		if (!(await lock.acquire())) return false;
		try {
			await step();
			return true;
		} finally {
			await lock.release();
		}
	};
	return (step) => steps.run(() => run(step));
}

/** Another process may have made it while this one waited. */
async function make(options: TableOptions, isBroken: boolean): Promise<MessageTable> {
	const made = isBroken ? undefined : await openMessageTable(options);
	return made ?? makeMessageTable(options);
}
