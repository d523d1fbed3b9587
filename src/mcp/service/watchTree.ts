import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { isGone } from "../../base/files/file.ts";
import { isInside } from "../../base/files/paths.ts";
import { wordSet } from "../../base/words/wordList.ts";

interface WatchPorts {
	readonly isWanted: (path: string) => boolean;
	/** Called with absolute paths of files and folders that were created, changed or deleted. */
	readonly onChange: (paths: readonly string[]) => void;
	readonly onTrouble: (thrown: unknown) => void;
}

export interface FolderWatch {
	/** Resolves when all later changes are noticed, or `onTrouble` was called. */
	readonly ready: Promise<void>;
	close(): void;
}

/** Folders that change often and contain no documents. */
const UNWATCHED = wordSet(".git .hg .svn node_modules bower_components .venv __pycache__ .vscode-test");

export function watchFolders(
	roots: readonly string[],
	{
		dataFolder,
		onChange,
		onError,
	}: {
		readonly dataFolder: string;
		readonly onChange: WatchPorts["onChange"];
		readonly onError: (message: string) => void;
	},
): FolderWatch {
	const watches = roots.map((root) => {
		const isWanted = (path: string) =>
			!isInside(path, dataFolder) &&
			!relative(root, path)
				.split(sep)
				.some((name) => UNWATCHED.has(name));
		const onTrouble = (thrown: unknown) =>
			onError(`Changes in ${root} may not be seen before the next start: ${messageOf(thrown)}`);
		// Other systems can watch a folder with everything below.
		const start = process.platform === "linux" ? watchTree : watchRecursively;
		return start(root, { isWanted, onChange, onTrouble });
	});
	return {
		ready: Promise.all(watches.map(({ ready }) => ready)).then(() => undefined),
		close: () => {
			for (const one of watches) one.close();
		},
	};
}

function watchRecursively(root: string, { isWanted, onChange, onTrouble }: WatchPorts): FolderWatch {
	const ready = Promise.resolve();
	try {
		const watcher = watch(root, { recursive: true }, (_event, name) => {
			const path = name === null ? root : join(root, name);
			if (isWanted(path)) onChange([path]);
		});
		watcher.on("error", onTrouble);
		return { ready, close: () => watcher.close() };
	} catch (thrown) {
		onTrouble(thrown);
		return { ready, close: () => undefined };
	}
}

/** Watches a folder and every wanted folder below it, for systems that do not watch recursively (inotify). */
function watchTree(root: string, { isWanted, onChange, onTrouble }: WatchPorts): FolderWatch {
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

	/** Watches a folder, then lists its subfolders, so that no new subfolder is missed. */
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
			// Watch first, so that later changes in a new folder are noticed.
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

	/** Ignores missing files: another event reports their deletion. */
	async function reporting(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (thrown) {
			if (!isGone(thrown)) onTrouble(thrown);
		}
	}
}

/** Whether a path is a folder. Follows a link only if the user named the path. */
async function isFolder(path: string, isNamed: boolean): Promise<boolean> {
	try {
		return (await (isNamed ? stat : lstat)(path)).isDirectory();
	} catch (thrown) {
		if (isGone(thrown)) return false;
		throw thrown;
	}
}
