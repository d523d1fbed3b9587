import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "../../base/files/file.ts";
import { isInside } from "../../base/files/paths.ts";

export interface WatchPorts {
	readonly isWanted: (path: string) => boolean;
	/** Hears absolute paths of what was made, changed or deleted. */
	readonly onChange: (paths: readonly string[]) => void;
	/** Hears why changes are missed. */
	readonly onTrouble: (thrown: unknown) => void;
}

export interface FolderWatch {
	/** Resolves when all further changes are noticed, or `onTrouble` was called. */
	readonly ready: Promise<void>;
	close(): void;
}

/** Watches a folder and every wanted folder below it, for systems that do not watch recursively (inotify). */
export function watchTree(root: string, { isWanted, onChange, onTrouble }: WatchPorts): FolderWatch {
	const watchers = new Map<string, FSWatcher>();
	let isClosed = false;
	return {
		ready: reporting(addAll(root)),
		close: () => {
			isClosed = true;
			for (const watcher of watchers.values()) watcher.close();
		},
	};

	async function addAll(folder: string): Promise<void> {
		const waiting = [folder];
		for (let next = waiting.pop(); next !== undefined && !isClosed; next = waiting.pop())
			waiting.push(...(await add(next)));
	}

	/** The folders in it. It is watched before they are listed: none comes unseen in between. */
	async function add(folder: string): Promise<string[]> {
		if (watchers.has(folder) || !(await isFolder(folder, folder === root)) || isClosed) return [];
		const watcher = watch(folder, (event, name) => void reporting(hear(join(folder, name ?? ""), event)));
		watcher.on("error", () => forget(folder));
		watchers.set(folder, watcher);
		const entries = await readdir(folder, { withFileTypes: true });
		return entries
			.filter((entry) => entry.isDirectory())
			.map(({ name }) => join(folder, name))
			.filter(isWanted);
	}

	async function hear(path: string, event: "rename" | "change"): Promise<void> {
		if (isClosed || !isWanted(path)) return;
		if (event === "rename") {
			forget(path);
			// First, so that later changes in a new folder are noticed.
			await addAll(path);
		}
		onChange([path]);
	}

	function forget(folder: string): void {
		if (!watchers.has(folder)) return;
		for (const [path, watcher] of watchers) {
			if (!isInside(path, folder)) continue;
			watcher.close();
			watchers.delete(path);
		}
	}

	/** Another event reports what vanished meanwhile. */
	async function reporting(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (thrown) {
			if (!isGone(thrown)) onTrouble(thrown);
		}
	}
}

/** Follows no links, except one that the user named. */
async function isFolder(path: string, isNamed: boolean): Promise<boolean> {
	try {
		return (await (isNamed ? stat : lstat)(path)).isDirectory();
	} catch (thrown) {
		if (isGone(thrown)) return false;
		throw thrown;
	}
}
