import { basename, join } from "node:path";
import { isFailure } from "../../base/failure.ts";
import { CONFIG_PATH } from "../files/folderConfig.ts";
import type { Indexer } from "./indexer.ts";

/** Changes within this time are handled together, because editors write a file in several steps. */
const GATHER_MS = 50;
/** Retry interval while another process updates the index, because that process may end before it sees a change. */
const STANDBY_MS = 5_000;
/** With more paths than this, comparing all files is faster. */
const MOST_PATHS = 200;

export function createChangeQueue(
	indexer: Pick<Indexer, "sync" | "syncPaths">,
	onError: (thrown: unknown) => void,
) {
	const closing = new AbortController();
	const waiting = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;
	let standingBy: NodeJS.Timeout | undefined;
	return {
		/** Adds absolute paths of created, changed or deleted files and folders. */
		add: (paths: readonly string[]) => {
			for (const path of paths) waiting.add(path);
			gathering ??= setTimeout(next, GATHER_MS);
		},
		close: () => {
			clearTimeout(gathering);
			clearTimeout(standingBy);
			closing.abort();
		},
	};

	function next(): void {
		clearTimeout(gathering);
		clearTimeout(standingBy);
		gathering = undefined;
		const paths = [...waiting];
		waiting.clear();
		bringInStep(paths).catch((thrown: unknown) => {
			if (closing.signal.aborted) return;
			if (!isFailure(thrown) || thrown.code !== "BUSY") return onError(thrown);
			for (const path of paths) waiting.add(path);
			clearTimeout(standingBy);
			standingBy = setTimeout(next, STANDBY_MS);
		});
	}

	async function bringInStep(paths: readonly string[]): Promise<void> {
		if (changesRules(paths) || paths.length > MOST_PATHS)
			await indexer.sync({ rebuild: false, fresh: true }, () => undefined, closing.signal);
		else await indexer.syncPaths(paths, { force: false }, closing.signal);
	}
}

function changesRules(paths: readonly string[]): boolean {
	return paths.some((path) => basename(path) === ".gitignore" || path.endsWith(join("/", CONFIG_PATH)));
}
