import { messageOf } from "../../base/failure.ts";
import { codeOf } from "../../base/files/file.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";

export const MAX_BYTES = 64_000_000;
/** Bytes of the largest text that is not linked data: logs, dumps and generated code are no one's knowledge. */
const MAX_TEXT_BYTES = 8_000_000;

/** Bytes of the largest file of rows, which is read piece by piece. */
const MAX_ROWS_BYTES = 256_000_000;

const ROWS = /\.(?:csv|tsv|jsonl|ndjson)$/i;
const LINKED_DATA = /\.(?:html?|xhtml|ttl|trig|nt|nq|n3|rdf|owl|jsonld)$/i;

/** How much longer such a file may take than a text: a book has hundreds of pages. */
const OFFICE_PATIENCE = 12;

export function patienceFor(name: string): number {
	return isExtracted(name) || ROWS.test(name) ? OFFICE_PATIENCE : 1;
}

export function largestOf(name: string, others = MAX_BYTES): number {
	return ROWS.test(name) ? MAX_ROWS_BYTES : others;
}

/** Why a file of this size is skipped without reading it; `undefined` if it should be read. */
export function refusalOf(name: string, size: number): string | undefined {
	const limit = LINKED_DATA.test(name) || isExtracted(name) ? MAX_BYTES : largestOf(name, MAX_TEXT_BYTES);
	return size > limit ? `larger than ${limit / 1_000_000} MB` : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
	EACCES: "cannot be read: permission denied",
	EPERM: "cannot be read: permission denied",
	EBUSY: "cannot be read: it is locked by another program",
	ENAMETOOLONG: "cannot be read: its path is too long",
	ELOOP: "a link (links are not followed)",
};

/** Why a file is not in the index, in words that follow its name. */
export function reasonOf(thrown: unknown): string {
	return REASONS[codeOf(thrown)] ?? `cannot be read: ${messageOf(thrown)}`;
}
