import { Unreadable } from "./unreadable.ts";

/** A file in an archive, as the directory at its end tells of it. */
export interface ZipEntry {
	readonly name: string;
	readonly method: number;
	readonly isEncrypted: boolean;
	readonly packed: Uint8Array;
	/** Bytes when it is unpacked. */
	readonly size: number;
}

const END = 0x06054b50;
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const FILE = 0x04034b50;
/** What stands in place of a number that takes more than 32 bits. */
const WIDE = 0xffffffff;

const BROKEN = "its archive is broken or cut off";

/** The files of a ZIP archive. Throws where it is none, or is cut off. */
export function readZipDirectory(bytes: Uint8Array, most: number): ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const { count, offset } = readEnd(view);
	if (count > most) throw new Unreadable("its archive has too many files");
	const entries: ZipEntry[] = [];
	let at = offset;
	for (let left = count; left > 0; left--) {
		if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) throw new Error(BROKEN);
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
			view.getUint16(at + field, true),
		);
		entries.push(readEntry(view, at, bytes));
		at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
	}
	return entries;
}

function readEnd(view: DataView): { readonly count: number; readonly offset: number } {
	const first = Math.max(0, view.byteLength - 22 - 65_535);
	for (let at = view.byteLength - 22; at >= first; at--) {
		if (view.getUint32(at, true) !== END) continue;
		return (
			readWideEnd(view, at) ?? { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) }
		);
	}
	throw new Error(BROKEN);
}

/** Of an archive with more than 65,535 files or four gigabytes, or of a program that is careful. */
function readWideEnd(view: DataView, end: number) {
	const locator = end - 20;
	if (locator < 0 || view.getUint32(locator, true) !== WIDE_LOCATOR) return undefined;
	const at = numberAt(view, locator + 8);
	if (at + 56 > view.byteLength || view.getUint32(at, true) !== WIDE_END) return undefined;
	return { count: numberAt(view, at + 32), offset: numberAt(view, at + 48) };
}

function numberAt(view: DataView, at: number): number {
	return Number(view.getBigUint64(at, true));
}

function readEntry(view: DataView, at: number, bytes: Uint8Array): ZipEntry {
	const nameLength = view.getUint16(at + 28, true);
	const flags = view.getUint16(at + 8, true);
	const { size, packedSize, offset } = placeOf(view, at, nameLength);
	const isThere = offset + 30 <= bytes.length && view.getUint32(offset, true) === FILE;
	const start = isThere
		? offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
		: 0;
	return {
		name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
		method: view.getUint16(at + 10, true),
		isEncrypted: (flags & 1) !== 0,
		packed: bytes.subarray(start, isThere ? start + packedSize : 0),
		size,
	};
}

/** Sizes and the place of a file; numbers that are too wide stand in a field of their own, in this order. */
function placeOf(view: DataView, at: number, nameLength: number) {
	const told = [24, 20, 42].map((field) => view.getUint32(at + field, true));
	const extra = at + 46 + nameLength;
	const end = Math.min(view.byteLength, extra + view.getUint16(at + 30, true));
	let wide = wideField(view, extra, end);
	const [size = 0, packedSize = 0, offset = 0] = told.map((number) => {
		if (number !== WIDE || wide === undefined || wide + 8 > end) return number;
		wide += 8;
		return numberAt(view, wide - 8);
	});
	return { size, packedSize, offset };
}

function wideField(view: DataView, from: number, end: number): number | undefined {
	for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true))
		if (view.getUint16(at, true) === 1) return at + 4;
	return undefined;
}
