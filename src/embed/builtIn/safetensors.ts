/** A tensor's bytes and shape, as they stand in a safetensors file. */
interface Tensor {
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly bytes: Uint8Array;
}

/** A row-wise quantized matrix: number `d` of row `r` is `weights[r * columns + d] * scales[r]`. */
export interface QuantizedMatrix {
	readonly rows: number;
	readonly columns: number;
	readonly weights: Int8Array;
	readonly scales: Float32Array;
}

/** Reads a matrix of bytes and its scale per row (half floats) out of a safetensors file; throws on any other shape. */
export function parseQuantizedMatrix(
	file: Uint8Array,
	names: { readonly weights: string; readonly scales: string },
): QuantizedMatrix {
	const weights = tensorOf(file, names.weights);
	const scales = tensorOf(file, names.scales);
	const [rows = 0, columns = 0] = weights.shape;
	if (weights.dtype !== "I8" || weights.bytes.length !== rows * columns || columns === 0)
		throw new Error(`${names.weights} is not a matrix of bytes.`);
	if (scales.dtype !== "F16" || scales.bytes.length !== rows * 2)
		throw new Error(`${names.scales} is not one half float per row.`);
	return {
		rows,
		columns,
		weights: new Int8Array(weights.bytes.buffer, weights.bytes.byteOffset, weights.bytes.length),
		scales: floatsOfHalves(scales.bytes),
	};
}

/** The file is the length of a JSON header (64 bits, little-endian), the header, and the tensors' bytes. */
function tensorOf(file: Uint8Array, name: string): Tensor {
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const start = 8 + Number(view.getBigUint64(0, true));
	const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
	const entry = (
		header as Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>
	)[name];
	if (!entry) throw new Error(`There is no tensor ${name}.`);
	const [from, to] = entry.data_offsets;
	return { dtype: entry.dtype, shape: entry.shape, bytes: file.subarray(start + from, start + to) };
}

function floatsOfHalves(bytes: Uint8Array): Float32Array {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return Float32Array.from({ length: bytes.length / 2 }, (_, index) =>
		floatOf(view.getUint16(index * 2, true)),
	);
}

/** IEEE 754 half precision: 1 sign bit, 5 exponent bits, 10 fraction bits. */
function floatOf(half: number): number {
	const sign = half & 0x8000 ? -1 : 1;
	const exponent = (half >> 10) & 0x1f;
	const fraction = (half & 0x3ff) / 1024;
	if (exponent === 0) return sign * fraction * 2 ** -14;
	return sign * (1 + fraction) * 2 ** (exponent - 15);
}
