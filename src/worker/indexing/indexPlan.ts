import { isDeepStrictEqual } from "node:util";
import type { DocumentRecord } from "../../core/knowledge/document.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { IndexPriority } from "../../core/knowledge/knowledge.ts";
import type { Documents } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope } from "../files/sources.ts";

export interface PlanOptions {
	/** Absolute paths of files and folders to index; by default, all files. */
	readonly scope?: readonly string[];
	/** Whether to read unchanged files again; searches use the old content until then. */
	readonly force: boolean;
	readonly first?: IndexPriority;
}

export type IndexPlan = ReturnType<typeof planIndexing>;

/** Finds changes by size and date. With `force` or a scope, the caller knows of changes, so all files are read. */
export function planIndexing(
	files: readonly FoundFile[],
	records: Documents,
	{ scope, force, first = { uris: [], words: [] } }: PlanOptions,
	pathOf: (uri: string) => string,
) {
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	// Files of these documents were deleted or are now excluded.
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	const upToDate = files.length - changed.length;
	return { changed: inOrder(changed, first, pathOf), upToDate, gone };
}

const SMALL = 10_000;
/** Minimum bytes of a file that may keep a parser busy for seconds. */
const LARGE = 1_000_000;

/** Sorts open files first, files named like the question next, and other files last; in each group, by cost. */
function inOrder(
	files: readonly FoundFile[],
	{ uris, words }: IndexPriority,
	pathOf: (uri: string) => string,
) {
	const open = new Set(uris);
	const groupOf = ({ uri }: FoundFile) => {
		if (open.has(uri)) return 0;
		const path = words.length > 0 ? pathOf(uri).toLowerCase() : "";
		return words.some((word) => path.includes(word)) ? 1 : 2;
	};
	return files
		.map((file) => ({ file, group: groupOf(file), cost: costOf(file) }))
		.sort((a, b) => a.group - b.group || a.cost - b.cost)
		.map(({ file }) => file);
}

/** Order of costs: small texts, other texts, extracted files, large files. Large files begin with the largest. */
function costOf({ path, size }: FoundFile): number {
	if (size >= LARGE) return 3 + LARGE / size;
	if (isExtracted(path)) return 2;
	return size < SMALL ? 0 : 1;
}

function isUpToDate(record: DocumentRecord | undefined, { size, modifiedMs, refused }: FoundFile): boolean {
	if (!record || record.size !== size) return false;
	if (refused) return isDeepStrictEqual(record.state, refused);
	// If the file could not be opened, try again: a change of permissions does not change the date of the file.
	if (record.state.kind === "failed" && record.hash === "") return false;
	return record.modifiedMs === modifiedMs;
}
