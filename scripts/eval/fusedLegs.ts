import { normalize } from "../../src/embed/model.ts";
import { fuse } from "../../src/retrieve/fuse.ts";
import { LIKENESS, rankByLikeness } from "../../src/retrieve/look.ts";
import { BY_DOCUMENT, rankByDocument } from "../../src/retrieve/rankByDocument.ts";
import type { Store } from "../../src/store/port/store.ts";
import type { Found, LegRuns } from "./legRuns.ts";

type Legs = Partial<Pick<LegRuns, "vector" | "cosines" | "entity">>;

export const NO_LIKENESS = { trusted: 0, weight: 0 };

/** Weights that rank passages independently of their documents. */
export const NO_DOCUMENTS = { weights: [], absent: 1, decay: 1, short: 1 };

/** Ranks the results of these legs and the full text as the extension does. */
export function fused(
	run: LegRuns,
	{ vector, cosines, entity }: Legs,
	{ likeness = LIKENESS, documents = BY_DOCUMENT } = {},
): Found[] {
	const rows = new Map<string, number>();
	const rowOf = (id: string) => {
		const row = rows.get(id) ?? rows.size;
		rows.set(id, row);
		return row;
	};
	const numbered = (found: readonly Found[]) =>
		found.map(({ id, ...match }) => ({ row: rowOf(id), ...match }));
	const entries = fuse({
		text: numbered(run.text),
		...(vector && { vector: numbered(vector) }),
		...(cosines && { cosines: new Map([...cosines].map(([id, cosine]) => [rowOf(id), cosine])) }),
		...(entity && { entity: numbered(entity) }),
		scale: run.scale,
	});
	const ids = [...rows.keys()];
	const vectors = storeOf((row) => run.vectors.get(ids[row] ?? ""));
	const ranked = rankByLikeness(entries, vectors, run.scale, likeness).map(({ row, score }) => {
		const id = ids[row] ?? "";
		const { uri = id, isText = true } = run.places.get(id) ?? {};
		return { id, score, uri, isText };
	});
	const lengths = new Map([...run.places.values()].map(({ uri, length }) => [uri, length]));
	return rankByDocument(ranked, { median: run.medianLength, of: (uri) => lengths.get(uri) ?? 1 }, documents);
}

/** A store of these vectors. */
function storeOf(vectorOf: (row: number) => Float32Array | undefined): Pick<Store, "centreOf" | "cosines"> {
	return {
		centreOf: (rows) => {
			const vectors = rows.flatMap((row) => vectorOf(row) ?? []);
			const centre = Float32Array.from(vectors[0] ?? [], (_, d) =>
				vectors.reduce((sum, vector) => sum + (vector[d] ?? 0), 0),
			);
			normalize(centre);
			return centre;
		},
		cosines: (vector, rows) => {
			const found = rows.map((row) => [row, vectorOf(row)] as const);
			return new Map(found.flatMap(([row, other]) => (other ? [[row, dot(vector, other)] as const] : [])));
		},
	};
}

function dot(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let d = 0; d < a.length; d++) sum += (a[d] as number) * (b[d] as number);
	return sum;
}
