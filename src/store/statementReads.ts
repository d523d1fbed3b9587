import type { Database } from "./database.ts";
import {
	labelKeyOf,
	RESOURCE_COLUMNS,
	readResources,
	readStatements,
	STATEMENT_COLUMNS,
} from "./documentTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Store } from "./store.ts";

/** How that is read which documents state. */
export function createStatementReads(database: Database): Pick<Store, "resourcesLabelled" | "statementsOf"> {
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
	};

	async function readColumns(columns: string[], condition: string) {
		const { documents } = (await database.refresh()).tables;
		return runQuery(documents.query().where(condition).select(columns));
	}
}
