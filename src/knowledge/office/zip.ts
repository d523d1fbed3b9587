import { inflateEntry, readZipDirectory, type ZipEntry } from "../../base/zip/zipDirectory.ts";
import { decodeText } from "../passages/decodeText.ts";
import { Unreadable } from "./extract.ts";

export type Archive = ReturnType<typeof openArchive>;

/** Bytes of all files, bytes of one, and number of files: more is a bomb or no document. */
const MAX_BYTES = 400_000_000;
const MAX_ENTRY = 150_000_000;
const MAX_ENTRIES = 20_000;
/** Maximum compression ratio of honest text. */
const MAX_RATIO = 1000;

/** First bytes of the compound files that contain encrypted documents. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/** Unpacks only wanted files, on request; rejects bombs before unpacking. */
export function openArchive(bytes: Uint8Array, isWanted: (name: string) => boolean) {
	if (COMPOUND_FILE.every((byte, at) => bytes[at] === byte))
		throw new Unreadable("it is encrypted, or of an older version of its program");
	const directory = readZipDirectory(bytes);
	if (directory.count > MAX_ENTRIES) throw new Unreadable("its archive has too many files");
	const named = (entry: ZipEntry) => [new TextDecoder().decode(entry.name), entry] as const;
	const entries = Array.from(directory.entries(), named);
	const wanted = new Map(entries.filter(([name]) => isWanted(name)));
	let total = 0;
	for (const { size, packed, isEncrypted } of wanted.values()) {
		if (isEncrypted) throw new Unreadable("it is encrypted with a password");
		total += size;
		const isBomb = size > 1_000_000 && size > packed.length * MAX_RATIO;
		if (isBomb || size > MAX_ENTRY || total > MAX_BYTES)
			throw new Unreadable("its archive unpacks to too much");
	}
	return {
		names: entries.map(([name]) => name),
		/** Empty if the file is missing or not wanted. */
		text: (name: string) => {
			const entry = wanted.get(name);
			return entry ? (decodeText(unpacked(entry)) ?? "") : "";
		},
	};
}

const STORED = 0;
const DEFLATED = 8;

/** Never unpacks more than the archive states. */
function unpacked({ method, packed, size }: ZipEntry): Uint8Array {
	if (method === STORED) return packed;
	if (method !== DEFLATED) throw new Unreadable("its archive uses an unsupported compression");
	try {
		return inflateEntry(packed, size);
	} catch {
		throw new Unreadable("its archive is broken, or unpacks to more than stated");
	}
}
