import { basename, join } from "node:path";
import { CONFIG_PATH } from "../files/folderConfig.ts";
import type { Indexer } from "./indexer.ts";

/** Changes that come so close together are one: editors write a file in several steps. */
const GATHER_MS = 50;
/** More paths than this are quicker brought in step by looking at all files. */
const MOST_PATHS = 200;

/** Brings changed files in step, soon. */
export interface ChangeQueue {
	/** Absolute paths of files and folders that were made, changed or deleted. */
	add(paths: readonly string[]): void;
	/** Forgets what is waiting, and ends what is at work. */
	close(): void;
}

/** `onError` hears of what no caller waits for. */
export function createChangeQueue(indexer: Indexer, onError: (thrown: unknown) => void): ChangeQueue {
	const closing = new AbortController();
	const waiting = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;
	return {
		add: (paths) => {
			for (const path of paths) waiting.add(path);
			gathering ??= setTimeout(() => report(bringInStep()), GATHER_MS);
		},
		close: () => {
			clearTimeout(gathering);
			closing.abort();
		},
	};

	async function bringInStep(): Promise<void> {
		const paths = [...waiting];
		waiting.clear();
		gathering = undefined;
		if (changesRules(paths) || paths.length > MOST_PATHS)
			await indexer.sync({ rebuild: false, fresh: true }, () => undefined, closing.signal);
		else await indexer.syncPaths(paths, { force: false }, closing.signal);
	}

	function report(work: Promise<void>): void {
		work.catch((thrown: unknown) => {
			if (!closing.signal.aborted) onError(thrown);
		});
	}
}

/** Whether one of these files decides about others. */
function changesRules(paths: readonly string[]): boolean {
	return paths.some((path) => basename(path) === ".gitignore" || path.endsWith(join("/", CONFIG_PATH)));
}
