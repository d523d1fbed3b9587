import type { Table } from "@lancedb/lancedb";
import { readIndex, runQuery } from "./query.ts";

const SAMPLE_ROWS = 256;

/** The vectors of some passages, evenly spread over the table. */
export interface CosineSample {
	/** The median of their cosines with a unit vector; 0 where there are no vectors. */
	medianWith(vector: Float32Array): number;
}

export async function readCosineSample(passages: Table): Promise<CosineSample> {
	const rows = await readIndex(() => passages.countRows());
	const step = Math.max(1, rows / SAMPLE_ROWS);
	const offsets = Array.from({ length: Math.min(rows, SAMPLE_ROWS) }, (_, index) => Math.floor(index * step));
	const result = await runQuery(passages.takeOffsets(offsets).select(["vector"]));
	const vectors = [...(result.getChild("vector") ?? [])].filter((vector) => vector !== null);
	const unit = vectors.map((vector) => vector.toArray() as Float32Array);
	return {
		medianWith(vector) {
			const cosines = unit.map((other) => dot(vector, other)).sort((a, b) => a - b);
			return cosines[cosines.length >> 1] ?? 0;
		},
	};
}

function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let d = 0; d < a.length; d++) sum += (a[d] ?? 0) * (b[d] ?? 0);
	return sum;
}
