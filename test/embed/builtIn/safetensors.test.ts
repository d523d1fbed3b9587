import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantizedMatrix } from "../../../src/embed/builtIn/safetensors.ts";

const names = { weights: "w", scales: "s" };

function fileOf(header: unknown, data: readonly number[]): Uint8Array {
	const json = new TextEncoder().encode(JSON.stringify(header));
	const length = new Uint8Array(8);
	new DataView(length.buffer).setBigUint64(0, BigInt(json.length), true);
	return Uint8Array.from([...length, ...json, ...data]);
}

const header = {
	w: { dtype: "I8", shape: [4, 1], data_offsets: [0, 4] },
	s: { dtype: "F16", shape: [4], data_offsets: [4, 12] },
};

test("weights are signed bytes, and scales are half floats", () => {
	const halves = [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0xff, 0x7b];
	const { rows, columns, weights, scales } = parseQuantizedMatrix(
		fileOf(header, [1, 255, 128, 127, ...halves]),
		names,
	);
	assert.deepEqual([rows, columns], [4, 1]);
	assert.deepEqual([...weights], [1, -1, -128, 127]);
	assert.deepEqual([...scales], [1, -2, 2 ** -24, 65504]);
});

const broken: Record<string, Uint8Array> = {
	"an empty file": new Uint8Array(),
	"a header that is cut off": fileOf(header, []).subarray(0, 30),
	"missing data": fileOf(header, [1, 2]),
	"a missing tensor": fileOf({ w: header.w }, [1, 2, 3, 4]),
	"a tensor of other numbers": fileOf({ ...header, w: { ...header.w, dtype: "F32" } }, new Array(12).fill(0)),
};

for (const [name, file] of Object.entries(broken)) {
	test(`${name} is refused`, () => {
		assert.throws(() => parseQuantizedMatrix(file, names));
	});
}
