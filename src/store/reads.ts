import type { Database } from "./database/database.ts";
import { createPassageReads } from "./database/passageReads.ts";
import { createStatementReads } from "./database/statementReads.ts";
import type { SearchEngine } from "./port/engine.ts";
import type { MatchOptions, Store } from "./port/store.ts";

/** Characters; what a longer query adds is not worth its time. */
const LONGEST_QUERY = 4000;

export interface EngineChoice {
	/** The engine that fits what is committed. */
	current(): Promise<SearchEngine>;
	/** The engine that found what was found last: rows are asked of that one. */
	latest(): SearchEngine;
}

/** How passages are found and read, whichever engine searches. */
export function createReads(database: Database, { current, latest }: EngineChoice) {
	const isSearchable = (vector: Float32Array) =>
		vector.length === database.snapshot().tables.dimensions && vector.some((value) => value !== 0);
	return {
		...createPassageReads(database),
		...createStatementReads(database),
		matchText: async (query, options) => (await current()).matchText(query.slice(0, LONGEST_QUERY), options),
		spellings: async (query) => (await current()).spellings(query.slice(0, LONGEST_QUERY)),
		matchVector: async (vector, options) => {
			const engine = await current();
			return isSearchable(vector) ? engine.matchVector(vector, options) : [];
		},
		typicalCosine: async (vector) => {
			const engine = await current();
			return isSearchable(vector) ? engine.typicalCosine(vector) : 0;
		},
		cosines: (vector, rows) => (isSearchable(vector) ? latest().cosines(vector, rows) : new Map()),
		centreOf: (rows) => latest().centreOf(rows),
		headsOf: (rows) => latest().headsOf(rows),
		read: (rows) => latest().read(rows),
		rowsAbout: async (subjects, options) => {
			const engine = await current();
			return engine.rowsAt(() => engine.placesAbout(subjects), options);
		},
		urisOf: (rows) => {
			const { manifest } = database.snapshot();
			const uris = new Map<number, string>();
			for (const row of rows) {
				const uri = manifest.uriOf(latest().placeOf(row)?.revision ?? Number.NaN);
				if (uri !== undefined) uris.set(row, uri);
			}
			return uris;
		},
		firstRows: async (uris, { types }) => {
			const first: MatchOptions = { limit: uris.length, ...(types && { types }) };
			const places = async () =>
				uris.flatMap((uri, subject) => {
					const revision = database.snapshot().manifest.revisionOf(uri);
					return revision === undefined ? [] : [{ revision, ordinal: 0, subject }];
				});
			const rows = await (await current()).rowsAt(places, first);
			return new Map(Array.from(rows, ([row, subject]) => [uris[subject] ?? "", row]));
		},
	} satisfies Partial<Store>;
}
