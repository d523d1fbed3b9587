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

/** How that is read which documents state. */
export function createStatementReads(
	database: Database,
): Pick<Store, "resourcesLabelled" | "statementsOf" | "extractedText"> {
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
			const rows = await readColumns(STATEMENT_COLUMNS, isOneOf("uri", uris.map(quote)));
			return readStatements(rows);
		},

		async extractedText(uri) {
			if (!database.snapshot().manifest.documents.get(uri)?.parts) return undefined;
			const [text] = readTexts(await readColumns(TEXT_COLUMNS, isOneOf("uri", [quote(uri)])));
			return text;
		},
	};

	async function readColumns(columns: string[], condition: string) {
		const { documents } = (await database.refresh()).tables;
		return runQuery(documents.query().where(condition).select(columns));
	}
}
