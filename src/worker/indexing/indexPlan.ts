import { isDeepStrictEqual } from "node:util";
import type { DocumentRecord } from "../../core/knowledge/document.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import type { IndexPriority } from "../../core/knowledge/knowledge.ts";
import type { Documents } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import { isInScope } from "../files/sources.ts";

export interface PlanOptions {
	/** Only these absolute paths, and what is inside them. */
	readonly scope?: readonly string[];
	/** Whether to read unchanged files again; the present index serves until then. */
	readonly force: boolean;
	readonly first?: IndexPriority;
}

export type IndexPlan = ReturnType<typeof planIndexing>;

/** Compares sizes and dates, unless `force`. Within a scope every file is read, because the caller knows that it changed. */
export function planIndexing(
	files: readonly FoundFile[],
	records: Documents,
	{ scope, force, first = { uris: [], words: [] } }: PlanOptions,
	pathOf: (uri: string) => string,
) {
	const changed = files.filter((file) => scope || force || !isUpToDate(records.get(file.uri), file));
	const found = new Set(files.map(({ uri }) => uri));
	// Documents whose files are gone, or are excluded now.
	const gone = [...records.keys()].filter((uri) => !found.has(uri) && isInScope(uri, scope));
	const upToDate = files.length - changed.length;
	return { changed: inOrder(changed, first, pathOf), upToDate, gone };
}

/** Bytes of a text that is read at once, and of a file that may keep a parser busy for seconds. */
const SMALL = 10_000;
const LARGE = 1_000_000;

/** Open files, then those named like the question, then the others; large ones last, so that parsers end together. */
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

/** Small texts cost least, then others, files that are extracted, and large files, the largest of them first. */
function costOf({ path, size }: FoundFile): number {
	if (size >= LARGE) return 3 + LARGE / size;
	if (isExtracted(path)) return 2;
	return size < SMALL ? 0 : 1;
}

/** Whether a record is still up to date, as far as that can be seen without reading the file. */
function isUpToDate(record: DocumentRecord | undefined, { size, modifiedMs, refused }: FoundFile): boolean {
	if (!record || record.size !== size) return false;
	if (refused) return isDeepStrictEqual(record.state, refused);
	// What could not be opened may be open now: permissions leave no date.
	if (record.state.kind === "failed" && record.hash === "") return false;
	return record.modifiedMs === modifiedMs;
}
