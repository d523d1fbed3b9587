import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
	openTensorFile,
	readBytesOf,
	readHalfBytes,
	readMatrix,
} from "../../../src/embed/builtIn/safetensors.ts";
import { createRowSums } from "../../../src/embed/builtIn/staticEmbedder.ts";

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

async function write(t: TestContext, bytes: Uint8Array): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "tensors-"));
	t.after(() => rm(folder, { recursive: true }));
	const path = join(folder, "model.safetensors");
	await writeFile(path, bytes);
	return path;
}

test("weights are signed bytes, and scales are half floats", async (t) => {
	const halves = [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0xff, 0x7b];
	const { rows, columns, weights, scales } = readMatrix(
		openTensorFile(await write(t, fileOf(header, [1, 255, 128, 127, ...halves]))),
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
	test(`${name} is refused`, async (t) => {
		const path = await write(t, file);
		assert.throws(() => readMatrix(openTensorFile(path), names));
	});
}

test("half bytes are numbers from -8 to 7, the lower half first", async (t) => {
	const tensors = { h: { dtype: "U8", shape: [2, 1], data_offsets: [0, 2] } };
	const file = openTensorFile(await write(t, fileOf(tensors, [0xf0, 0x89])));
	assert.deepEqual([...readHalfBytes(file, "h", [2, 2])], [-8, 7, 1, 0]);
	assert.throws(() => readHalfBytes(file, "h", [2, 4]));
	assert.throws(() => readBytesOf(file, "h", 2));
});

for (const columns of [16, 100, 256]) {
	test(`rows of ${columns} numbers are added, each as often as it is wanted`, () => {
		const rows = 40;
		const weights = Int8Array.from({ length: rows * columns }, (_, at) => ((at * 7919) % 255) - 127);
		const scales = Float32Array.from({ length: rows }, (_, row) => (row + 1) / 64);
		const sums = createRowSums({ rows: 30, columns, weights: weights.subarray(0, 30 * columns), scales });
		sums.append(weights.subarray(30 * columns));
		const times = new Uint32Array(rows).map((_, row) => (row % 3) + 1);
		for (const added of [[], [7], [39, 0, 3], [...times.keys()]]) {
			const into = new Float32Array(columns);
			sums.add(added, times, into);
			for (let d = 0; d < columns; d++) {
				let expected = 0;
				for (const row of added)
					expected += (times[row] ?? 0) * (scales[row] ?? 0) * (weights[row * columns + d] ?? 0);
				assert.ok(Math.abs((into[d] ?? 0) - expected) < 1e-3, `${d}: ${into[d]} instead of ${expected}`);
			}
		}
	});
}
