import type { Snapshot } from "../database/database.ts";
import { runQuery } from "../tables/query.ts";

/** Passages that stand for all. */
const SAMPLE_ROWS = 128;

/** The part by which an index may grow or shrink until there is another sample. */
const MUCH = 0.1;

/** What is typical of the passages. */
interface LanceSample {
	/** Terms of a passage, on average; those of a mark are counted as LanceDB counts them. */
	readonly terms: number;
	/** The median of the cosines with a vector; 0 where there is none. */
	medianCosine(vector: Float32Array): number;
}

export type SampleReader = (snapshot: Snapshot) => Promise<LanceSample>;

/** Read once for an index of about that size. */
export function createSampleReader(): SampleReader {
	let last: { readonly passages: number; readonly sample: Promise<LanceSample> } | undefined;
	return (snapshot) => {
		const { passages } = snapshot.manifest;
		if (!last || Math.abs(passages - last.passages) > MUCH * last.passages)
			last = { passages, sample: readSample(snapshot) };
		return last.sample;
	};
}

async function readSample({ tables: { passages: table, dimensions } }: Snapshot): Promise<LanceSample> {
	const rows = await table.countRows();
	const count = Math.min(rows, SAMPLE_ROWS);
	const offsets = Array.from({ length: count }, (_, index) => Math.floor((index * rows) / count));
	const columns = ["terms", ...(dimensions > 0 ? ["vector"] : [])];
	const result = await runQuery(table.takeOffsets(offsets).select(columns));
	const lengths = Array.from(result.getChild("terms") ?? [], (terms) => String(terms).split(" ").length);
	const vectors: Float32Array[] = [...(result.getChild("vector") ?? [])].flatMap(
		(vector) => vector?.toArray().slice() ?? [],
	);
	return {
		terms: lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length),
		medianCosine: (vector) =>
			Float32Array.from(vectors, (other) => cosineOf(vector, other)).sort()[vectors.length >> 1] ?? 0,
	};
}

/** Of unit vectors. */
export function cosineOf(vector: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (other[at] as number);
	return sum;
}
