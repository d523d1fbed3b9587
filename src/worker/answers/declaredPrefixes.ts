import { closeSync, openSync, readSync } from "node:fs";
import { rememberLast } from "../../base/jobs/lazily.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { namesIn } from "../../names/names.ts";
import type { DocumentReads, Documents } from "../../store/port/store.ts";
import { filePathOf } from "../files/sources.ts";

const MOST_FILES = 500;
/** Number of bytes to read of each file, because prefixes are declared at the beginning of a file. */
const HEAD_BYTES = 16 * 1024;
const DECLARING = /\.(?:ttl|turtle|n3|trig|rq|sparql|jsonld)$/i;

type Prefixes = ReadonlyMap<string, string>;

/** If several documents declare a prefix, the first by URI wins. Reads each version of a document once. */
export function createDeclaredPrefixes(store: DocumentReads): () => Prefixes {
	let seen = new Map<string, { readonly hash: string; readonly prefixes: Prefixes }>();
	const read = rememberLast((_moment: object, documents: Documents) => {
		const named = [...documents.records()]
			.filter(({ uri, state }) => state.kind === "indexed" && DECLARING.test(uri))
			.sort((a, b) => compareTexts(a.uri, b.uri));
		const before = seen;
		seen = new Map();
		for (const { uri, hash } of named.slice(0, MOST_FILES)) {
			const known = before.get(uri);
			seen.set(uri, known?.hash === hash ? known : { hash, prefixes: prefixesIn(uri) });
		}
		return new Map([...seen.values()].reverse().flatMap((each) => [...each.prefixes]));
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
