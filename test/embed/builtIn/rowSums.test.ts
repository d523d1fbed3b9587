import assert from "node:assert/strict";
import { test } from "node:test";
import { createRowSums } from "../../../src/embed/builtIn/staticEmbedder.ts";

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
