import { basename } from "node:path";
import type { IndexPriority } from "../../core/knowledge/knowledge.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope, type SourceFiles } from "../files/sources.ts";
import { isUpToDate } from "./documentRecord.ts";
import type { IndexStore } from "./indexStore.ts";

export interface PlanOptions {
	/** Only these absolute paths, and what is inside them. */
	readonly scope?: readonly string[];
	/** Whether to read unchanged files again; the present index serves until then. */
	readonly force: boolean;
	/** Which files come first. */
	readonly first?: IndexPriority;
}

/** What is to be done so that the index is in step with the files. */
export interface IndexPlan {
	/** Files to look at. */
	readonly changed: readonly FoundFile[];
	/** How many files need no look. */
	readonly upToDate: number;
	/** URIs of documents whose files are gone, or are excluded now. */
	readonly gone: readonly string[];
}

interface PlanParts {
	readonly store: Pick<IndexStore, "documents">;
	readonly sources: Pick<SourceFiles, "list">;
}

/** Compares sizes and dates, unless `force`. In a scope every file is looked at: who names it knows that it changed. */
export async function planIndexing(
	{ store, sources }: PlanParts,
	{ scope, force, first }: PlanOptions,
	signal: AbortSignal,
): Promise<IndexPlan> {
	const files = await sources.list(scope, signal);
	const records = store.documents();
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	const upToDate = files.length - changed.length;
	return { changed: inOrder(changed, first), upToDate, gone };
}

/** Bytes of a file that may keep a parser busy for seconds. */
const LARGE = 1_000_000;

/**
 * What somebody has open, then what is named like the question, then the rest as it was. Large files come last, so that
 * most can be found soon; the largest of them first, so that the parsers end together.
 */
function inOrder(files: readonly FoundFile[], first: IndexPriority | undefined): FoundFile[] {
	const open = new Set(first?.uris);
	const rankOf = ({ uri, path, size }: FoundFile): number => {
		if (open.has(uri)) return 0;
		const name = basename(path).toLowerCase();
		if (first?.words.some((word) => name.includes(word))) return 1;
		return size < LARGE ? 2 : 3;
	};
	const ranked = Map.groupBy(files, rankOf);
	const large = (ranked.get(3) ?? []).toSorted((a, b) => b.size - a.size);
	return [...[0, 1, 2].flatMap((rank) => ranked.get(rank) ?? []), ...large];
}
