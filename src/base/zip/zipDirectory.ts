import { inflateRawSync } from "node:zlib";

export type ZipEntry = ReturnType<typeof readEntry>;

const END = 0x06054b50;
/** Size of the end record without its comment, in bytes. */
const END_BYTES = 22;
const WIDE_END = 0x06064b50;
const WIDE_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
/** Signature of the local header before each file's bytes, which repeats parts of the directory. */
const FILE = 0x04034b50;
const FILE_BYTES = 30;
/** Placeholder for a number that needs more than 32 bits. */
const WIDE = 0xffffffff;
const UNIX = 3;

const BROKEN = "its archive is broken or incomplete";

/** Reads the directory at the end of a ZIP archive, which may be wrong. Throws if the directory is missing or cut off. */
export function readZipDirectory(bytes: Uint8Array) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const { at: end, isLast } = endOf(view);
	const wide = readWideEnd(view, end);
	const { count, offset } = wide ?? {
		count: view.getUint16(end + 10, true),
		offset: view.getUint32(end + 16, true),
	};
	return {
		count,
		/** Whether the archive ends with this directory. If not, other readers may use another directory. */
		isLast,
		/** Whether the archive has a ZIP64 record, for more than 65,535 files or 4 GB. */
		isWide: wide !== undefined,
		/** Throws if an entry is broken or cut off. */
		entries: function* (): Generator<ZipEntry, void> {
			let at = offset;
			for (let left = count; left > 0; left--) {
				if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== ENTRY) throw new Error(BROKEN);
				yield readEntry(view, at, bytes);
				at += ENTRY_BYTES + [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
			}
		},
	};
}

/** The last end record that reaches the end of the archive, otherwise the last end record. */
function endOf(view: DataView): { readonly at: number; readonly isLast: boolean } {
	const first = Math.max(0, view.byteLength - END_BYTES - 65_535);
	let last: number | undefined;
	for (let at = view.byteLength - END_BYTES; at >= first; at--) {
		if (view.getUint32(at, true) !== END) continue;
		if (at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return { at, isLast: true };
		last ??= at;
	}
	if (last === undefined) throw new Error(BROKEN);
	return { at: last, isLast: false };
}

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

function readEntry(view: DataView, at: number, bytes: Uint8Array) {
	const nameLength = view.getUint16(at + 28, true);
	const { size, packedSize, offset, isWide } = placeOf(view, at, nameLength);
	const isThere = offset + FILE_BYTES <= bytes.length && view.getUint32(offset, true) === FILE;
	const start = isThere
		? offset + FILE_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
		: 0;
	return {
		name: bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength),
		method: view.getUint16(at + 10, true),
		isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
		/** Unix mode (file, folder or link); 0 if the archive was made on another system. */
		unixMode: view.getUint8(at + 5) === UNIX ? view.getUint16(at + 40, true) : 0,
		/** Compressed bytes in the archive; fewer than `packedSize` if the archive is cut short. */
		packed: bytes.subarray(start, isThere ? start + packedSize : 0),
		isThere,
		/** Stated sizes in bytes: `packedSize` is compressed, `size` is uncompressed. */
		packedSize,
		size,
		/** Whether a size or the offset is in a ZIP64 field. */
		isWide,
	};
}

/** Sizes and offset of a file. Numbers of more than 32 bits are in the ZIP64 field, in this order. */
function placeOf(view: DataView, at: number, nameLength: number) {
	const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true));
	const extra = at + ENTRY_BYTES + nameLength;
	const end = Math.min(view.byteLength, extra + view.getUint16(at + 30, true));
	let wide = wideField(view, extra, end);
	const [size = 0, packedSize = 0, offset = 0] = fields.map((number) => {
		if (number !== WIDE || wide === undefined || wide + 8 > end) return number;
		wide += 8;
		return numberAt(view, wide - 8);
	});
	return { size, packedSize, offset, isWide: fields.includes(WIDE) };
}

function wideField(view: DataView, from: number, end: number): number | undefined {
	for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true))
		if (view.getUint16(at, true) === 1) return at + 4;
	return undefined;
}

/** Unpacks at most the stated size. Throws if the data is broken or (`ERR_BUFFER_TOO_LARGE`) larger. */
export function inflateEntry(packed: Uint8Array, size: number): Uint8Array {
	if (size === 0) return packed.subarray(0, 0);
	// A single chunk avoids joining chunks.
	return inflateRawSync(packed, { maxOutputLength: size, chunkSize: Math.max(size, 64) });
}
