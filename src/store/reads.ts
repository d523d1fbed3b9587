import { compareTexts } from "../base/text/compareTexts.ts";
import type { Database } from "./database/database.ts";
import { createPassageReads } from "./database/passageReads.ts";
import type { EngineChoice } from "./port/engine.ts";
import type { MatchOptions, Store } from "./port/store.ts";
import {
	labelKeyOf,
	RESOURCE_COLUMNS,
	readColumn,
	readResources,
	readStatements,
	STATEMENT_COLUMNS,
} from "./tables/documentTable.ts";
import { isOneOf, quote, runQuery } from "./tables/query.ts";

/** Maximum number of characters of a query; the rest of a longer query is ignored to save time. */
const LONGEST_QUERY = 4000;

export function createReads(database: Database, { current, latest }: EngineChoice) {
	const isSearchable = (vector: Float32Array) =>
		vector.length === database.snapshot().tables.dimensions && vector.some((value) => value !== 0);
	return {
		...createPassageReads(database),
		...createStatementReads(database),
		prepare: async () => (await current()).follow(),
		matchText: async (query, options) => (await current()).matchText(query.slice(0, LONGEST_QUERY), options),
		spellings: async (query, among) => (await current()).spellings(query.slice(0, LONGEST_QUERY), among),
		matchVector: async (vector, options) => {
			const engine = await current();
			return isSearchable(vector) ? engine.matchVector(vector, options) : [];
		},
		typicalCosine: async (vector, among) => {
			const engine = await current();
			return isSearchable(vector) ? engine.typicalCosine(vector, among) : 0;
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
					const { revision } = database.snapshot().manifest.documents.entry(uri) ?? {};
					return revision === undefined ? [] : [{ revision, ordinal: 0, subject }];
				});
			const rows = await (await current()).rowsAt(places, first);
			return new Map(Array.from(rows, ([row, subject]) => [uris[subject] ?? "", row]));
		},
	} satisfies Partial<Store>;
}

function createStatementReads(database: Database) {
	return {
		async resourcesLabelled(label) {
			const key = labelKeyOf(label);
			return readResources(await readColumns(RESOURCE_COLUMNS, `array_has(labels, ${quote(key)})`))
				.sort((a, b) => compareTexts(a.uri, b.uri))
				.flatMap(({ uri, resources }) => resources.map((resource) => ({ uri, resource })))
				.filter(({ resource }) => labelKeyOf(resource.label) === key);
		},
		async statementsOf(uris) {
			if (uris.length === 0) return new Map();
			return readStatements(await readColumns(STATEMENT_COLUMNS, isOneOf("uri", uris.map(quote))));
		},
		async extractedText(uri) {
			if (!database.snapshot().manifest.documents.get(uri)?.parts) return undefined;
			return readColumn(await readColumns(["text"], isOneOf("uri", [quote(uri)])), "text")[0];
		},
	} satisfies Partial<Store>;

	async function readColumns(columns: string[], condition: string) {
		const { documents } = (await database.refresh()).tables;
		return runQuery(documents.query().where(condition).select(columns));
	}
}
