import { messageOf } from "../../base/failure.ts";
import { codeOf } from "../../base/files/file.ts";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";

export const MAX_BYTES = 64_000_000;
/** Maximum bytes of a text that is not linked data. Larger texts are logs, dumps and generated code. */
const MAX_TEXT_BYTES = 8_000_000;

/** Maximum bytes of a file of rows, which is larger because such a file is read piece by piece. */
const MAX_ROWS_BYTES = 256_000_000;

const ROWS = /\.(?:csv|tsv|jsonl|ndjson)$/i;
const LINKED_DATA = /\.(?:html?|xhtml|ttl|trig|nt|nq|n3|rdf|owl|jsonld)$/i;

/** Factor of the time limit for office documents and files of rows, which may have hundreds of pages. */
const OFFICE_PATIENCE = 12;

export function patienceFor(name: string): number {
	return isExtracted(name) || ROWS.test(name) ? OFFICE_PATIENCE : 1;
}

export function largestOf(name: string, others = MAX_BYTES): number {
	return ROWS.test(name) ? MAX_ROWS_BYTES : others;
}

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

/** Returns the end of a sentence that begins with a file's name and says why the file is not in the index. */
export function reasonOf(thrown: unknown): string {
	return REASONS[codeOf(thrown)] ?? `cannot be read: ${messageOf(thrown)}`;
}
