import { statSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { namesOf } from "../tables/generations.ts";
import { isRemote, type Location } from "../tables/location.ts";
import type { Tables } from "../tables/tables.ts";

/** Two commits may have one time where the clock of a disk is coarse: only what is older than this is one commit's alone. */
const COARSEST_CLOCK_MS = 4000;

/** Tells whether the manifest has changed, by the folder to which each of its commits adds a file. */
export interface CommitWatch {
	/** The version of the documents table; `undefined` where it cannot be read now. */
	versionOf(tables: Tables): Promise<number | undefined>;
}

interface Seen {
	readonly table: Table;
	readonly changedMs: number;
	readonly folder: number;
	readonly version: number;
}

/** Every search asks: to look at a folder takes a fiftieth of what LanceDB takes to list it, and waits for no thread. */
export function createCommitWatch(location: Location): CommitWatch {
	let seen: Seen | undefined;
	return {
		async versionOf({ documents: table, generation }) {
			const before = look(location, namesOf(generation).documents);
			if (before && seen?.table === table && isSame(before, seen)) return seen.version;
			const lookedMs = Date.now();
			// No version where another process is just making the table anew.
			const version = await table.version().catch(() => undefined);
			const isOld = before !== undefined && before.changedMs < lookedMs - COARSEST_CLOCK_MS;
			seen = isOld && version !== undefined ? { table, version, ...before } : undefined;
			return version;
		},
	};
}

function look({ folder }: Location, name: string): Pick<Seen, "changedMs" | "folder"> | undefined {
	if (isRemote(folder)) return undefined;
	try {
		const found = statSync(join(folder, `${name}.lance`, "_versions"), { throwIfNoEntry: false });
		return found && { changedMs: found.mtimeMs, folder: found.ino };
	} catch {
		// LanceDB says better what is wrong there.
		return undefined;
	}
}

function isSame(look: Pick<Seen, "changedMs" | "folder">, seen: Seen): boolean {
	return look.changedMs === seen.changedMs && look.folder === seen.folder;
}
