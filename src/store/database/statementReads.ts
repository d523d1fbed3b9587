import type { Store } from "../port/store.ts";
import {
	labelKeyOf,
	RESOURCE_COLUMNS,
	readResources,
	readStatements,
	readTexts,
	STATEMENT_COLUMNS,
	TEXT_COLUMNS,
} from "../tables/documentTable.ts";
import { isOneOf, quote, runQuery } from "../tables/query.ts";
import type { Database } from "./database.ts";

/** How the statements of documents are read, and their extracted texts. */
export function createStatementReads(database: Database) {
	return {
		async resourcesLabelled(label) {
			const key = labelKeyOf(label);
			const rows = await readColumns(RESOURCE_COLUMNS, `array_has(labels, ${quote(key)})`);
			return readResources(rows).flatMap(({ uri, resources }) =>
				resources
					.filter((resource) => labelKeyOf(resource.label) === key)
					.map((resource) => ({ uri, resource })),
			);
		},
		async statementsOf(uris) {
			if (uris.length === 0) return new Map();
			return readStatements(await readColumns(STATEMENT_COLUMNS, isOneOf("uri", uris.map(quote))));
		},
		async extractedText(uri) {
			if (!database.snapshot().manifest.documents.get(uri)?.parts) return undefined;
			const [text] = readTexts(await readColumns(TEXT_COLUMNS, isOneOf("uri", [quote(uri)])));
			return text;
		},
	} satisfies Partial<Store>;

	async function readColumns(columns: string[], condition: string) {
		const { documents } = (await database.refresh()).tables;
		return runQuery(documents.query().where(condition).select(columns));
	}
}
