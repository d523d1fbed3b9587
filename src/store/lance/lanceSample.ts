import { makeVector, type Vector } from "apache-arrow";
import { cosine } from "../../base/words/relevance.ts";
import type { Snapshot } from "../database/database.ts";
import { toSingles } from "../tables/columns.ts";
import { runQuery } from "../tables/query.ts";

export interface Sample<Told> {
	readonly column: "terms" | "vector";
	readonly rows: number;
	/** How many of them are neighbours: these are read at once. */
	readonly run: number;
	tell(values: Vector): Told | Promise<Told>;
}

/** The part by which an index may grow or shrink until there is another sample. */
const MUCH = 0.1;

export type SampleReader<Told> = (snapshot: Snapshot) => Promise<Told>;

/** Average number of terms of a passage; marks of languages are counted like LanceDB does. */
export function usualLength(texts: Iterable<unknown>): number {
	const lengths = Array.from(texts, (terms) => String(terms).split(" ").length);
	return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
}

export function createLengthReader(): SampleReader<number> {
	return createSampleReader({ column: "terms", rows: 128, run: 4, tell: usualLength });
}

/** The median cosine of a sample with a vector; 0 if it is empty. Requires a vector column. */
export function createCosineReader(): SampleReader<(vector: Float32Array) => number> {
	const tell = (found: Vector) => {
		const vectors = readVectors(found);
		return (vector: Float32Array) => medianCosine(vector, vectors);
	};
	return createSampleReader({ column: "vector", rows: 128, run: 4, tell });
}

export function readVectors(column: Vector | null): Float32Array[] {
	return [...(column ?? [])].flatMap((vector) => (vector ? [toSingles(vector.toArray()).slice()] : []));
}

export function medianCosine(vector: Float32Array, others: readonly Float32Array[]): number {
	return Float32Array.from(others, (other) => cosine(vector, other)).sort()[others.length >> 1] ?? 0;
}

/** Reads a sample on demand, once for an index of about that size; the first result waits for it. */
export function createSampleReader<Told>(sample: Sample<Told>): SampleReader<Told> {
	let last: { generation: number; passages: number; told: Promise<Told> } | undefined;
	return (snapshot) => {
		const { passages } = snapshot.manifest;
		const { generation } = snapshot.tables;
		// Other tables may have the vectors of another model.
		const isOld =
			last?.generation !== generation || Math.abs(passages - last.passages) > MUCH * last.passages;
		if (!last || isOld) {
			const reading = { generation, passages, told: readSample(snapshot, sample).then(sample.tell) };
			last = reading;
			// What could not be read now may be read the next time.
			reading.told.catch(() => {
				if (last === reading) last = undefined;
			});
		}
		return last.told;
	};
}

async function readSample<Told>(
	{ tables: { passages: table } }: Snapshot,
	{ column, rows, run }: Sample<Told>,
): Promise<Vector> {
	const all = await table.countRows();
	const count = Math.min(all, rows);
	const offsets = Array.from({ length: count }, (_, index) => {
		const at = index % run;
		return Math.min(all - 1, Math.floor(((index - at) * all) / count) + at);
	});
	const result = await runQuery(table.takeOffsets(offsets).select([column]));
	return result.getChild(column) ?? makeVector(new Uint8Array());
}
