import type { Database } from "./database.ts";
import { labelKeyOf, readResources, readStatements, STATEMENT_COLUMNS } from "./documentTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { Store } from "./store.ts";

/** How that is read which documents state. */
export function createStatementReads(database: Database): Pick<Store, "resourcesLabelled" | "statementsOf"> {
	return {
		async resourcesLabelled(label) {
			const key = labelKeyOf(label);
			const rows = await runDocumentQuery(`array_has(labels, ${quote(key)})`);
			return readResources(rows).flatMap(({ uri, resources }) =>
				resources
					.filter((resource) => labelKeyOf(resource.label) === key)
					.map((resource) => ({ uri, resource })),
			);
		},

		async statementsOf(uris) {
			if (uris.length === 0) return new Map();
			return readStatements(await runDocumentQuery(isOneOf("uri", uris.map(quote))));
		},
	};

	async function runDocumentQuery(condition: string) {
		const { documents } = (await database.refresh()).tables;
		return runQuery(documents.query().where(condition).select(STATEMENT_COLUMNS));
	}
}
