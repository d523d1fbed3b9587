import type { FoundFile } from "../files/discover.ts";
import { isInScope, type SourceFiles } from "../files/sources.ts";
import { isUpToDate } from "./documentRecord.ts";
import type { IndexStore } from "./indexStore.ts";

/** What is to be done so that the index is in step with the files. */
export interface IndexPlan {
	/** Files to look at. */
	readonly changed: readonly FoundFile[];
	/** How many files need no look. */
	readonly upToDate: number;
	/** URIs of documents whose files are gone, or are excluded now. */
	readonly gone: readonly string[];
}

/** Compares sizes and dates, unless `force`. In a scope every file is looked at: who names it knows that it changed. */
export async function planIndexing(
	{ store, sources }: { readonly store: IndexStore; readonly sources: SourceFiles },
	{ scope, force }: { readonly scope?: readonly string[]; readonly force: boolean },
	signal: AbortSignal,
): Promise<IndexPlan> {
	const files = await sources.list(scope, signal);
	const records = store.documents();
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	return { changed, upToDate: files.length - changed.length, gone };
}
