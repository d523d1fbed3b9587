import type { Database } from "./database.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { readRevisions, readRowIds, typeKeyOf } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { PassageSubject, Store } from "./store.ts";

/** How the passages of resources are found. */
export function createRowsAbout(database: Database): Pick<Store, "rowsAbout"> {
	return {
		async rowsAbout(subjects, { limit, uris, types }) {
			if (subjects.length === 0) return new Map();
			const { tables, manifest } = await database.refresh();
			const conditions = [
				isAbout(subjects, manifest),
				uris && isOneOf("revision", revisionsOf(uris, manifest)),
				types && `array_has_any(types, [${types.map((type) => quote(typeKeyOf(type))).join(", ")}])`,
			].filter((condition) => condition !== undefined);
			const query = tables.passages.query().where(conditions.join(" AND ")).limit(limit);
			const result = await runQuery(query.select(["resource", "revision"]).withRowId());
			const revisions = readRevisions(result);
			const resources = Array.from(result.getChild("resource") ?? [], String);
			const places = new Map(subjects.map((subject, index) => [keyOf(subject), index]));
			const placeOf = (index: number) => {
				const resource = resources[index] ?? "";
				return places.get(keyOf({ resource, uri: manifest.uriOf(revisions[index] ?? 0) }));
			};
			return new Map(
				readRowIds(result).flatMap((row, index) => {
					const place = placeOf(index);
					return place === undefined ? [] : [[row, place] as const];
				}),
			);
		},
	};
}

/** A nameless resource is told from those of other documents by its own. */
function keyOf({
	resource,
	uri = "",
}: {
	readonly resource: string;
	readonly uri?: string | undefined;
}): string {
	return resource.startsWith("_:") ? `${resource} ${uri}` : resource;
}

function isAbout(subjects: readonly PassageSubject[], manifest: Manifest): string {
	const named = subjects.filter(({ resource }) => !resource.startsWith("_:"));
	const nameless = subjects.filter(({ resource }) => resource.startsWith("_:"));
	const inDocuments = [...Map.groupBy(nameless, ({ uri = "" }) => uri)].map(([uri, own]) => {
		const ids = isOneOf(
			"resource",
			own.map(({ resource }) => quote(resource)),
		);
		return `(${isOneOf("revision", revisionsOf([uri], manifest))} AND ${ids})`;
	});
	const byName = isOneOf(
		"resource",
		named.map(({ resource }) => quote(resource)),
	);
	return `(${[byName, ...inDocuments].join(" OR ")})`;
}
