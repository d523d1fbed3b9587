import { Failure } from "../../base/failure.ts";
import { readZipDirectory, type ZipDirectory, type ZipEntry } from "../../base/zip/zipDirectory.ts";

/** A plain file, or a folder, in an archive of a plugin. */
export interface PlainEntry {
	readonly size: number;
	readonly packed: Uint8Array;
	readonly name: string;
	readonly isFolder: boolean;
	readonly isDeflated: boolean;
	readonly isExecutable: boolean;
}

const MAX_ENTRIES = 1000;
const FILE_TYPE = 0xf000;
const FILE = 0x8000;
const FOLDER = 0x4000;
const EXECUTABLE = 0o100;
const STORED = 0;
const DEFLATED = 8;

/** The list of an archive, with what an unpacker does not look at. Throws a `Failure` for what is not plain files. */
export function zipEntries(bytes: Uint8Array): PlainEntry[] {
	const { count, isLast, isWide, entries } = directoryOf(bytes);
	// Where something comes after it, or there are two, other readers may take another one.
	if (!isLast) throw refused("it is not a ZIP archive, or is incomplete");
	if (isWide) throw refused("it is larger than a plugin may be");
	if (count > MAX_ENTRIES) throw refused(`it has more than ${MAX_ENTRIES} files`);
	const plain = allOf(entries()).map(checked);
	// Files that lie over each other unpack to more than the archive can hold.
	const packed = plain.reduce((sum, entry) => sum + entry.packed.length, 0);
	if (packed > bytes.length) throw refused("its files overlap");
	return plain;
}

function directoryOf(bytes: Uint8Array): ZipDirectory {
	try {
		return readZipDirectory(bytes);
	} catch {
		throw refused("it is not a ZIP archive, or is incomplete");
	}
}

function allOf(entries: Iterable<ZipEntry>): ZipEntry[] {
	try {
		return [...entries];
	} catch {
		throw refused("its list is damaged");
	}
}

function checked({ size, packed, packedSize, method, ...entry }: ZipEntry): PlainEntry {
	const name = decode(entry.name);
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

function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw refused("a name in it is not text");
	}
}

export function refused(why: string): Failure {
	return new Failure("BAD_INPUT", `The archive cannot be added: ${why}.`);
}
