import { closeSync, openSync, readSync } from "node:fs";
import { memoize, rememberLast } from "../../base/jobs/lazily.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { namesIn } from "../../names/names.ts";
import type { DocumentReads, Documents } from "../../store/port/store.ts";
import { filePathOf } from "../files/sources.ts";

const MOST_FILES = 500;
const MOST_READ = 2 * MOST_FILES;
/** Number of bytes to read of each file, because prefixes are declared at the beginning of a file. */
const HEAD_BYTES = 16 * 1024;
const DECLARING = /\.(?:ttl|turtle|n3|trig|rq|sparql|jsonld)$/i;

type Prefixes = ReadonlyMap<string, string>;

/** If several documents declare a prefix, the first by URI wins. Reads each version of a document once. */
export function createDeclaredPrefixes(store: DocumentReads): () => Prefixes {
	const prefixesAt = memoize(
		(version: string) => prefixesIn(version.slice(version.indexOf(" ") + 1)),
		MOST_READ,
	);
	const read = rememberLast((_moment: object, documents: Documents) => {
		const named = [...documents.records()]
			.filter(({ uri, state }) => state.kind === "indexed" && DECLARING.test(uri))
			.sort((a, b) => compareTexts(a.uri, b.uri))
			.slice(0, MOST_FILES);
		return new Map(named.reverse().flatMap(({ uri, hash }) => [...prefixesAt(`${hash} ${uri}`)]));
	});
	return () => read(store.moment(), store.documents());
}

function prefixesIn(uri: string): Prefixes {
	try {
		return namesIn({ uri, text: headOf(filePathOf(uri) ?? "") }).prefixes;
	} catch {
		// The file was deleted or changed after it was indexed.
		return new Map();
	}
}

function headOf(path: string): string {
	const file = openSync(path, "r");
	try {
		const bytes = Buffer.alloc(HEAD_BYTES);
		return bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
	} finally {
		closeSync(file);
	}
}
