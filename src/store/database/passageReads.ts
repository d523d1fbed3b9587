import type { Table } from "@lancedb/lancedb";
import { createMutex } from "../../base/jobs/mutex.ts";
import { pushTo } from "../../base/values.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { PassageTopic } from "../../search/match.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import type { SubjectPlace } from "../port/engine.ts";
import type { PassageSubject, StoredPassage } from "../port/store.ts";
import { addressesIn, numbersIn, PASSAGE_COLUMNS, readPassages } from "../tables/passageTable.ts";
import { isOneOf, quote, runQuery } from "../tables/query.ts";
import type { Tables } from "../tables/tables.ts";
import { type Database, type Manifest, revisionsIn, revisionsOf, type Snapshot } from "./database.ts";

export function createPassageReads(database: Database) {
	return {
		passagesOf,
		passagesAbout: (resource: string) => passagesWhere(`resource = ${quote(resource)}`),
	};

	/** Retries if the document was replaced during the read. */
	async function passagesOf(uri: string): Promise<StoredPassage[]> {
		const [revision] = revisionsOf([uri], (await database.refresh()).manifest);
		if (revision === undefined) return [];
		const passages = await passagesWhere(isOneOf("revision", [revision]));
		const [now] = revisionsOf([uri], database.snapshot().manifest);
		return now === revision ? passages : passagesOf(uri);
	}

	async function passagesWhere(condition: string): Promise<StoredPassage[]> {
		const { tables } = await database.refresh();
		const result = await runQuery(tables.passages.query().where(condition).select(PASSAGE_COLUMNS));
		const { manifest } = await database.refresh();
		return readPassages(result)
			.sort(inPlaces(manifest))
			.flatMap((read) => toStored(read, read.passage, manifest) ?? []);
	}
}

export async function readPlaces(places: readonly PlaceRef[], tables: Tables): Promise<Map<string, Passage>> {
	if (places.length === 0) return new Map();
	const result = await runQuery(tables.passages.query().where(isAmong(places)).select(PASSAGE_COLUMNS));
	return new Map(readPassages(result).map((read) => [keyOf(read), read.passage]));
}

/** Matches some other passages too, because revisions and ordinals are compared separately. */
export function isAmong(places: readonly PlaceRef[]): string {
	const isIn = (column: "revision" | "ordinal") =>
		isOneOf(column, [...new Set(places.map((place) => place[column]))]);
	return `${isIn("revision")} AND ${isIn("ordinal")}`;
}

export function inPlaces({ uriOf }: Manifest): (place: PlaceRef, other: PlaceRef) => number {
	return (place, other) => {
		if (place.revision === other.revision) return place.ordinal - other.ordinal;
		return (uriOf(place.revision) ?? "") < (uriOf(other.revision) ?? "") ? -1 : 1;
	};
}

export function keyOf({ revision, ordinal }: PlaceRef): string {
	return `${revision}#${ordinal}`;
}

export function toStored<Part extends PassageTopic>(
	{ revision, ordinal }: PlaceRef,
	passage: Part,
	manifest: Manifest,
): (Part & { readonly id: string; readonly uri: string }) | undefined {
	const uri = manifest.uriOf(revision);
	return uri === undefined ? undefined : { ...passage, id: `${uri}#${ordinal}`, uri };
}

/** Maximum number of new documents in a condition; with more, reading all passages is faster. */
const FEW_DOCUMENTS = 1000;

export interface PassageRef extends PlaceRef {
	readonly address: number;
}

interface Known {
	readonly table: Table;
	readonly version: number;
	readonly revisions: Set<number>;
	readonly places: Map<string, PassageRef[]>;
}

export type SubjectPlaces = (subjects: readonly PassageSubject[], now: Snapshot) => Promise<SubjectPlace[]>;

/** Caches the places of all subjects, because querying the table would be the slowest part of a search. */
export function createSubjectPlaces(): SubjectPlaces {
	const queue = createMutex();
	let known: Known | undefined;
	return async (subjects, snapshot) => {
		if (subjects.length === 0) return [];
		const { places } = await queue.run(async () => {
			const { version, tables } = snapshot;
			if (known?.table !== tables.passages || known.version < version) known = await bringUp(known, snapshot);
			return known;
		});
		return shownAbout(subjects, places, snapshot.manifest.uriOf);
	};
}

export function shownAbout(
	subjects: readonly PassageSubject[],
	places: ReadonlyMap<string, readonly PlaceRef[]>,
	uriOf: Manifest["uriOf"],
): SubjectPlace[] {
	return subjects.flatMap(({ resource, uri }, subject) =>
		(places.get(resource) ?? []).flatMap((place) => {
			const source = uriOf(place.revision);
			// A blank node is local to its document.
			const isShown = source !== undefined && (!resource.startsWith("_:") || source === uri);
			return isShown ? [{ ...place, subject }] : [];
		}),
	);
}

async function bringUp(known: Known | undefined, { tables, manifest, version }: Snapshot): Promise<Known> {
	const { passages: table } = tables;
	const all = revisionsIn(manifest);
	const isKept = known?.table === table && known.revisions.size < 2 * all.length + FEW_DOCUMENTS;
	const base = isKept ? known : { revisions: new Set<number>(), places: new Map<string, PassageRef[]>() };
	const missing = all.filter((revision) => !base.revisions.has(revision));
	const found = missing.length > 0 ? await readRefs(table, missing) : [];
	for (const { resource, ...place } of found) pushTo(base.places, resource, place);
	for (const revision of missing) base.revisions.add(revision);
	return { ...base, table, version };
}

async function readRefs(table: Table, revisions: readonly number[]) {
	const isFew = revisions.length <= FEW_DOCUMENTS;
	const condition = isFew ? `resource != '' AND ${isOneOf("revision", revisions)}` : "resource != ''";
	const wanted = new Set(revisions);
	// Passages of uncommitted documents are read after the commit.
	return (await readAbout(table, condition)).filter(({ revision }) => wanted.has(revision));
}

export async function readAbout(table: Table, condition: string) {
	const query = table.query().where(condition).select(["resource", "revision", "ordinal"]).withRowId();
	const result = await runQuery(query);
	const [ofRow, ordinals] = [numbersIn(result, "revision"), numbersIn(result, "ordinal")];
	const addresses = addressesIn(result);
	return Array.from(result.getChild("resource") ?? [], (resource, row) => ({
		resource: String(resource),
		revision: ofRow[row] ?? 0,
		ordinal: ordinals[row] ?? 0,
		address: addresses[row] ?? 0,
	}));
}
