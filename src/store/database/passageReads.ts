import type { Passage } from "../../core/knowledge/document.ts";
import type { PassageTopic } from "../../search/match.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import type { StoredPassage } from "../port/store.ts";
import { type Manifest, revisionsOf } from "../tables/manifest.ts";
import { PASSAGE_COLUMNS, readPassages } from "../tables/passageTable.ts";
import { isOneOf, quote, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";
import type { Database } from "./database.ts";

export function createPassageReads(database: Database) {
	return { passagesOf, passagesAbout };

	/** Retry if the document was replaced meanwhile. */
	async function passagesOf(uri: string): Promise<StoredPassage[]> {
		const [revision] = revisionsOf([uri], (await database.refresh()).manifest);
		if (revision === undefined) return [];
		const passages = await passagesWhere(isOneOf("revision", [revision]));
		const [now] = revisionsOf([uri], database.snapshot().manifest);
		return now === revision ? passages : passagesOf(uri);
	}

	function passagesAbout(resource: string): Promise<StoredPassage[]> {
		return passagesWhere(`resource = ${quote(resource)}`);
	}

	/** In the order of their documents' URIs, whichever was read first. */
	async function passagesWhere(condition: string): Promise<StoredPassage[]> {
		const { tables } = await database.refresh();
		const query = tables.passages.query().where(condition).select(PASSAGE_COLUMNS);
		const result = await runQuery(query);
		const { manifest } = await database.refresh();
		return readPassages(result)
			.sort(inPlaces(manifest))
			.flatMap((read) => toStored(read, read.passage, manifest) ?? []);
	}
}

export async function readPlaces(places: readonly PlaceRef[], tables: Tables): Promise<Map<string, Passage>> {
	if (places.length === 0) return new Map();
	const query = tables.passages.query().where(isAmong(places)).select(PASSAGE_COLUMNS);
	const result = await runQuery(query);
	return new Map(readPassages(result).map((read) => [keyOf(read), read.passage]));
}

/** Two lists are looked up at once, so that some others are among what is found. */
export function isAmong(places: readonly PlaceRef[]): string {
	const columns = ["revision", "ordinal"] as const;
	return columns
		.map((column) => isOneOf(column, [...new Set(places.map((place) => place[column]))]))
		.join(" AND ");
}

/** Orders passages by their documents' URIs, then by their position in the document. */
export function inPlaces({ uriOf }: Manifest): (place: PlaceRef, other: PlaceRef) => number {
	return (place, other) => {
		if (place.revision === other.revision) return place.ordinal - other.ordinal;
		return (uriOf(place.revision) ?? "") < (uriOf(other.revision) ?? "") ? -1 : 1;
	};
}

export function keyOf({ revision, ordinal }: PlaceRef): string {
	return `${revision}#${ordinal}`;
}

/** `undefined` if the passage's document is not committed, or has been removed. */
export function toStored<Part extends PassageTopic>(
	{ revision, ordinal }: PlaceRef,
	passage: Part,
	manifest: Manifest,
): (Part & { readonly id: string; readonly uri: string }) | undefined {
	const uri = manifest.uriOf(revision);
	return uri === undefined ? undefined : { ...passage, id: `${uri}#${ordinal}`, uri };
}
