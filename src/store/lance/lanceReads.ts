import type { Database, Snapshot } from "../database/database.ts";
import { toStored } from "../database/passageReads.ts";
import type { SubjectPlaces } from "../database/subjectPlaces.ts";
import type { SearchEngine } from "../port/engine.ts";
import type { StoredPassage } from "../port/store.ts";
import type { LanceLoads, LoadPassages } from "./lanceLoads.ts";
import { createLancePlaces } from "./lancePlaces.ts";
import type { LanceRows } from "./lanceRows.ts";
import { cosineOf, type SampleReader } from "./lanceSample.ts";

/** What is asked of passages whose places are known. */
export function createLanceReads(
	database: Database,
	{ rows, loads }: { readonly rows: LanceRows; readonly loads: LanceLoads },
	placesAbout: SubjectPlaces,
): Pick<SearchEngine, "rowsAbout" | "urisOf" | "firstRows" | "headsOf" | "read"> {
	const places = createLancePlaces(rows, loads);
	return {
		rowsAbout: async (subjects, options) => {
			const snapshot = database.snapshot();
			const shown = await loads.together(snapshot, async (load) =>
				places.load(await placesAbout(subjects, snapshot), options, { snapshot, load }),
			);
			return new Map(shown.map(({ row, place }) => [row, place.subject]));
		},
		urisOf: (wanted) => {
			const { manifest } = database.snapshot();
			return new Map(
				wanted.flatMap((row) => {
					const uri = manifest.uriOf(rows.placeOf(row)?.revision ?? Number.NaN);
					return uri === undefined ? [] : [[row, uri] as const];
				}),
			);
		},
		firstRows: async (uris, options) => {
			const snapshot = database.snapshot();
			const first = uris.flatMap((uri) => {
				const revision = snapshot.manifest.revisionOf(uri);
				return revision === undefined ? [] : [{ revision, ordinal: 0, subject: 0, uri }];
			});
			const load: LoadPassages = (addresses) => loads.load(addresses, snapshot);
			const shown = await places.load(first, { ...options, limit: first.length }, { snapshot, load });
			return new Map(shown.map(({ row, place }) => [place.uri, row]));
		},
		headsOf: read,
		read,
	};

	async function read(wanted: readonly number[]): Promise<Map<number, StoredPassage>> {
		const snapshot = database.snapshot();
		await places.remember(forgotten(wanted, snapshot), snapshot);
		return new Map(wanted.flatMap((row) => stored(row, database.snapshot())));
	}

	function forgotten(wanted: readonly number[], { manifest }: Snapshot) {
		return wanted.flatMap((row) => {
			const place = rows.recall(row) ? undefined : rows.placeOf(row);
			return place && manifest.uriOf(place.revision) !== undefined ? [place] : [];
		});
	}

	function stored(row: number, { manifest }: Snapshot): [number, StoredPassage][] {
		const found = rows.recall(row);
		return found ? toStored(found, manifest).map((passage) => [row, passage]) : [];
	}
}

/** What is asked of the vectors of passages that were found. */
export function createLanceVectors(
	database: Database,
	rows: LanceRows,
	cosineIn: SampleReader<(vector: Float32Array) => number>,
): Pick<SearchEngine, "cosines" | "centreOf" | "typicalCosine"> {
	return {
		cosines: (vector, wanted) => {
			const cosines = new Map<number, number>();
			if (!vector.some((value) => value !== 0)) return cosines;
			for (const row of wanted) {
				const { vector: other } = rows.recall(row) ?? {};
				if (other?.length === vector.length) cosines.set(row, cosineOf(vector, other));
			}
			return cosines;
		},
		centreOf: (wanted) => centreOf(wanted.flatMap((row) => rows.recall(row)?.vector ?? [])),
		typicalCosine: async (vector) => {
			const snapshot = database.snapshot();
			if (vector.length === 0 || vector.length !== snapshot.tables.dimensions) return 0;
			return (await cosineIn(snapshot))(vector);
		},
	};
}

/** The unit vector in the middle; zeros where they have no direction, empty where there are none. */
function centreOf(vectors: readonly Float32Array[]): Float32Array {
	const centre = new Float32Array(vectors[0]?.length ?? 0);
	for (const vector of vectors)
		for (const [at, value] of vector.entries()) centre[at] = (centre[at] ?? 0) + value;
	const length = Math.hypot(...centre) || 1;
	return centre.map((value) => value / length);
}
