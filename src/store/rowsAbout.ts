import type { Snapshot } from "./database.ts";
import { type Manifest, revisionsOf } from "./manifest.ts";
import { readOrdinals, readRevisions } from "./passageTable.ts";
import { isOneOf, quote, runQuery } from "./query.ts";
import type { PassageSubject } from "./store.ts";

/** A passage that verbalizes a subject. */
interface PlaceAbout {
	readonly revision: number;
	readonly ordinal: number;
	/** The place of the subject in the list. */
	readonly subject: number;
}

/** Where the passages of resources stand; those of the first subject come first. */
export async function placesAbout(
	subjects: readonly PassageSubject[],
	{ tables, manifest }: Snapshot,
): Promise<PlaceAbout[]> {
	if (subjects.length === 0) return [];
	const query = tables.passages.query().where(isAbout(subjects, manifest));
	const result = await runQuery(query.select(["resource", "revision", "ordinal"]));
	const [revisions, ordinals] = [readRevisions(result), readOrdinals(result)];
	const numbers = new Map(subjects.map((subject, index) => [keyOf(subject), index]));
	return Array.from(result.getChild("resource") ?? [], String)
		.flatMap((resource, index) => {
			const [revision = 0, ordinal = 0] = [revisions[index], ordinals[index]];
			const subject = numbers.get(keyOf({ resource, uri: manifest.uriOf(revision) }));
			return subject === undefined ? [] : [{ revision, ordinal, subject }];
		})
		.sort((a, b) => a.subject - b.subject);
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
