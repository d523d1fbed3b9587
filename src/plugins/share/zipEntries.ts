import { Failure } from "../../base/failure.ts";
import { readZipDirectory, type ZipEntry } from "../../base/zip/zipDirectory.ts";

/** A plain file, or a folder, in an archive of a plugin. */
export type PlainEntry = ReturnType<typeof checked>;

const MAX_ENTRIES = 1000;
const FILE_TYPE = 0xf000;
const FILE = 0x8000;
const FOLDER = 0x4000;
const EXECUTABLE = 0o100;
const STORED = 0;
const DEFLATED = 8;

/** The list of an archive, with what an unpacker does not look at. Throws a `Failure` for what is not plain files. */
export function zipEntries(bytes: Uint8Array): PlainEntry[] {
	const list = () => readZipDirectory(bytes);
	const { count, isLast, isWide, entries } = orRefuse(list, INCOMPLETE);
	// Where something comes after it, or there are two, other readers may take another one.
	if (!isLast) throw refused(INCOMPLETE);
	if (isWide) throw refused("it is larger than a plugin may be");
	if (count > MAX_ENTRIES) throw refused(`it has more than ${MAX_ENTRIES} files`);
	const plain = orRefuse(() => [...entries()], "its list is damaged").map(checked);
	// Files that lie over each other unpack to more than the archive can hold.
	const packed = plain.reduce((sum, entry) => sum + entry.packed.length, 0);
	if (packed > bytes.length) throw refused("its files overlap");
	return plain;
}

const INCOMPLETE = "it is not a ZIP archive, or is incomplete";

function orRefuse<Value>(read: () => Value, why: string): Value {
	try {
		return read();
	} catch {
		throw refused(why);
	}
}

function checked({ size, packed, packedSize, method, ...entry }: ZipEntry) {
	const text = new TextDecoder("utf-8", { fatal: true });
	const name = orRefuse(() => text.decode(entry.name), "a name in it is not text");
	if (entry.isWide) throw refused("it is larger than a plugin may be");
	if (entry.isEncrypted) throw refused("it is encrypted");
	if (method !== STORED && method !== DEFLATED) throw refused("it uses an unsupported compression");
	const isFolder = name.endsWith("/");
	const type = entry.unixMode & FILE_TYPE;
	if (type !== 0 && type !== (isFolder ? FOLDER : FILE))
		throw refused("it contains a link, or something that is not a file");
	if (!entry.isThere || packed.length !== packedSize) throw refused("its list is damaged");
	const isExecutable = (entry.unixMode & EXECUTABLE) !== 0;
	return { name, size, isFolder, packed, isDeflated: method === DEFLATED, isExecutable };
}

export function refused(why: string): Failure {
	return new Failure("BAD_INPUT", `The archive cannot be added: ${why}.`);
}
