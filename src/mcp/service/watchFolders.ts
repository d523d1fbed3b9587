import { watch } from "node:fs";
import { join, relative, sep } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { type FolderWatch, type WatchPorts, watchTree } from "./watchTree.ts";

/** Folders in which nobody looks for knowledge and much happens. */
const UNWATCHED: ReadonlySet<string> = new Set([
	".git",
	".hg",
	".svn",
	"node_modules",
	"bower_components",
	".venv",
	"__pycache__",
	".vscode-test",
]);

export interface FolderWatchPorts {
	/** Absolute path of a folder whose changes do not count. */
	readonly dataFolder: string;
	/** Hears absolute paths of files and folders that were made, changed or deleted. */
	readonly onChange: (paths: readonly string[]) => void;
	/** Hears why changes are not seen. */
	readonly onError: (message: string) => void;
}

/** Watches all that is in some folders, given as absolute paths. */
export function watchFolders(roots: readonly string[], ports: FolderWatchPorts): FolderWatch {
	const { dataFolder, onChange, onError } = ports;
	const watches = roots.map((root) => {
		const isWanted = (path: string) =>
			path !== dataFolder &&
			!path.startsWith(dataFolder + sep) &&
			!relative(root, path)
				.split(sep)
				.some((name) => UNWATCHED.has(name));
		const onTrouble = (thrown: unknown) => onError(troubleIn(root, thrown));
		// Elsewhere the system watches what is inside a folder by itself.
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

function troubleIn(root: string, thrown: unknown): string {
	return `Changes in ${root} may not be seen before the next start: ${messageOf(thrown)}`;
}
