import { closeSync, openSync, readSync } from "node:fs";

/** A matrix that is quantized by row: the value in row `r` and column `d` is `weights[r * columns + d] * scales[r]`. */
export interface QuantizedMatrix {
	readonly rows: number;
	readonly columns: number;
	readonly weights: Int8Array;
	/** One scale per row, including rows that are read later. */
	readonly scales: Float32Array;
}

export type TensorFile = ReturnType<typeof openTensorFile>;

type Header = Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;

/** Bytes of the header's length (little-endian) at the start of a file. The JSON header and the tensors follow. */
const LENGTH_BYTES = 8;

export function openTensorFile(path: string) {
	const length = Number(Buffer.from(readBytes(path, 0, LENGTH_BYTES)).readBigUInt64LE());
	const start = LENGTH_BYTES + length;
	const header: Header = JSON.parse(new TextDecoder().decode(readBytes(path, LENGTH_BYTES, start)));
	/** Throws if the tensor is missing, has another type or another number of bytes, or is truncated. */
	return (name: string, dtype: string, size?: number) => {
		const entry = header[name];
		if (!entry) throw new Error(`There is no tensor ${name}.`);
		const [from, to] = entry.data_offsets;
		if (entry.dtype !== dtype || (size !== undefined && size !== to - from))
			throw new Error(`${name} is not ${size === undefined ? "" : `${size} bytes `}of ${dtype}.`);
		return { shape: entry.shape, bytes: readBytes(path, start + from, start + to) };
	};
}

/** Opens the file for each read, so that the file can be replaced between reads. */
function readBytes(path: string, start: number, end: number): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(end - start);
	const file = openSync(path, "r");
	try {
		if (readSync(file, bytes, 0, bytes.length, start) < bytes.length)
			throw new Error("The file is too short.");
	} finally {
		closeSync(file);
	}
	return bytes;
}

/** Matrix of int8 with at least one float16 scale per row. Throws on other shapes. */
export function readMatrix(read: TensorFile, weights: string, scales: string): QuantizedMatrix {
	const { bytes, shape } = read(weights, "I8");
	const halves = read(scales, "F16").bytes;
	const [rows = 0, columns = 0] = shape;
	if (bytes.length !== rows * columns || columns === 0 || halves.length < rows * 2)
		throw new Error(`${weights} is not a matrix of bytes with one half float per row.`);
	return { rows, columns, weights: new Int8Array(bytes.buffer), scales: floatsOfHalves(halves) };
}

/** Unpacks numbers from -8 to 7. Each byte has two numbers, the first in the lower half. */
export function readHalfBytes(read: TensorFile, name: string, length: number): Int8Array {
	const { bytes } = read(name, "U8", length / 2);
	const pairs = new Uint16Array(bytes.length);
	for (let index = 0; index < bytes.length; index++) pairs[index] = PAIRS[bytes[index] as number] as number;
	return new Int8Array(pairs.buffer);
}

const PAIRS = Uint16Array.from({ length: 256 }, (_, pair) => {
	const [lower, upper] = [(pair & 15) - 8, (pair >> 4) - 8];
	return (lower & 0xff) | ((upper & 0xff) << 8);
});

/** Decodes inline, because a call per value would take 10 % of the time to open the model. */
function floatsOfHalves(bytes: Uint8Array<ArrayBuffer>): Float32Array {
	const halves = new Uint16Array(bytes.buffer);
	const bits = new Uint32Array(halves.length);
	const floats = new Float32Array(bits.buffer);
	for (let index = 0; index < halves.length; index++) {
		const half = halves[index] as number;
		const sign = (half & 0x8000) << 16;
		if (half & 0x7c00) bits[index] = sign | (((half & 0x7fff) << 13) + EXPONENT_SHIFT);
		else floats[index] = (sign ? -1 : 1) * (half & 0x3ff) * SMALLEST_HALF;
	}
	return floats;
}

/** IEEE 754: the exponent bias is 15 for half precision and 127 for single precision. */
const EXPONENT_SHIFT = (127 - 15) << 23;

const SMALLEST_HALF = 2 ** -24;
