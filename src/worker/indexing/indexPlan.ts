import { isDeepStrictEqual } from "node:util";
import type { DocumentRecord } from "../../core/knowledge/document.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { IndexPriority } from "../../core/knowledge/knowledge.ts";
import type { Documents } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope } from "../files/sources.ts";

export interface PlanOptions {
	/** Absolute paths to limit the run to, including everything inside them. */
	readonly scope?: readonly string[];
	/** Whether to read unchanged files again; searches use the old content until then. */
	readonly force: boolean;
	readonly first?: IndexPriority;
}

export type IndexPlan = ReturnType<typeof planIndexing>;

/** Plans a run by sizes and dates. With `force` or a scope, reads all files: the caller knows of changes. */
export function planIndexing(
	files: readonly FoundFile[],
	records: Documents,
	{ scope, force, first = { uris: [], words: [] } }: PlanOptions,
	pathOf: (uri: string) => string,
) {
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	// Documents whose files were deleted or are now excluded.
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	const upToDate = files.length - changed.length;
	return { changed: inOrder(changed, first, pathOf), upToDate, gone };
}

const SMALL = 10_000;
/** Minimum bytes of a file that may keep a parser busy for seconds. */
const LARGE = 1_000_000;

/** Sorts open files first, then files named like the question, then others; in each group, by cost. */
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

/** Cost: small texts, other texts, extracted files, large files. The largest one begins before other large ones. */
function costOf({ path, size }: FoundFile): number {
	if (size >= LARGE) return 3 + LARGE / size;
	if (isExtracted(path)) return 2;
	return size < SMALL ? 0 : 1;
}

/** Whether a record seems up to date without reading the file. */
function isUpToDate(record: DocumentRecord | undefined, { size, modifiedMs, refused }: FoundFile): boolean {
	if (!record || record.size !== size) return false;
	if (refused) return isDeepStrictEqual(record.state, refused);
	// Try again if the file could not be opened: a change of permissions does not change its date.
	if (record.state.kind === "failed" && record.hash === "") return false;
	return record.modifiedMs === modifiedMs;
}
