import { Failure } from "../../base/failure.ts";

/** What an archive says of one file in it. */
export interface ZipEntry {
	readonly name: string;
	/** As it says: who unpacks it makes sure. */
	readonly size: number;
	readonly isFolder: boolean;
	/** As it is in the archive. */
	readonly packed: Uint8Array;
	readonly isDeflated: boolean;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** Of the end record, without its comment. */
const END_BYTES = 22;
const ENTRY_BYTES = 46;
/** Stands before the bytes of each file, and says some things again. */
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const MAX_ENTRIES = 1000;
const IN_ANOTHER_RECORD = 0xffffffff;
const ENCRYPTED = 1;
const UNIX = 3;
const FILE_TYPE = 0xf000;
const FILE = 0x8000;
const FOLDER = 0x4000;
const STORED = 0;
const DEFLATED = 8;

/** The list of an archive, with what an unpacker does not look at. Throws a `Failure` for what is not plain files. */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = endOf(view);
	const count = view.getUint16(end + 10, true);
	if (count > MAX_ENTRIES) throw refused(`it has more than ${MAX_ENTRIES} files`);
	const entries: ZipEntry[] = [];
	let at = view.getUint32(end + 16, true);
	for (let index = 0; index < count; index++) {
		if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== ENTRY) throw refused("its list is damaged");
		entries.push(entryAt(view, at));
		at += ENTRY_BYTES + [28, 30, 32].reduce((sum, offset) => sum + view.getUint16(at + offset, true), 0);
	}
	// Files that lie over each other unpack to more than the archive can hold.
	const packed = entries.reduce((sum, entry) => sum + entry.packed.length, 0);
	if (packed > view.byteLength) throw refused("its files lie over each other");
	return entries;
}

/** The last record that reaches to the end of the archive: other readers may take another one where there are two. */
function endOf(view: DataView): number {
	const lowest = Math.max(0, view.byteLength - END_BYTES - 0xffff);
	for (let at = view.byteLength - END_BYTES; at >= lowest; at--)
		if (
			view.getUint32(at, true) === END &&
			at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength
		)
			return at;
	throw refused("it is no zip archive, or a part of one");
}

function entryAt(view: DataView, at: number): ZipEntry {
	const name = decode(bytesAt(view, at + ENTRY_BYTES, view.getUint16(at + 28, true)));
	const size = view.getUint32(at + 24, true);
	const method = view.getUint16(at + 10, true);
	if (size === IN_ANOTHER_RECORD) throw refused("it is larger than a plugin may be");
	if (view.getUint16(at + 8, true) & ENCRYPTED) throw refused("it is encrypted");
	if (method !== STORED && method !== DEFLATED) throw refused("it is packed in a way that is not known here");
	const isFolder = name.endsWith("/");
	const mode = view.getUint8(at + 5) === UNIX ? view.getUint16(at + 40, true) & FILE_TYPE : 0;
	if (mode !== 0 && mode !== (isFolder ? FOLDER : FILE))
		throw refused("there is a link in it, or what is no file");
	return { name, size, isFolder, packed: packedAt(view, at), isDeflated: method === DEFLATED };
}

function packedAt(view: DataView, at: number): Uint8Array {
	const local = view.getUint32(at + 42, true);
	bytesAt(view, local, LOCAL_BYTES);
	if (view.getUint32(local, true) !== LOCAL) throw refused("its list is damaged");
	const names = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
	return bytesAt(view, local + LOCAL_BYTES + names, view.getUint32(at + 20, true));
}

function bytesAt(view: DataView, at: number, length: number): Uint8Array {
	if (at + length > view.byteLength) throw refused("its list is damaged");
	return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw refused("a name in it is no text");
	}
}

export function refused(why: string): Failure {
	return new Failure("BAD_INPUT", `The archive cannot be added: ${why}.`);
}
