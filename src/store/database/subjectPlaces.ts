import type { Table } from "@lancedb/lancedb";
import { createMutex } from "../../base/jobs/mutex.ts";
import { pushTo } from "../../base/values.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import type { SubjectPlace } from "../port/engine.ts";
import type { PassageSubject } from "../port/store.ts";
import { revisionsIn } from "../tables/manifest.ts";
import { addressesIn, numbersIn } from "../tables/passageTable.ts";
import { isOneOf, runQuery } from "../tables/query.ts";
import type { Snapshot } from "./database.ts";

/** Beyond this many new documents at once, reading all passages is faster than naming them. */
const FEW_DOCUMENTS = 1000;

export interface PassageRef extends PlaceRef {
	readonly address: number;
}

interface Known {
	readonly table: Table;
	readonly version: number;
	/** Revisions that were looked at; some may be gone since. */
	readonly revisions: Set<number>;
	readonly places: Map<string, PassageRef[]>;
}

export type SubjectPlaces = (
	subjects: readonly PassageSubject[],
	snapshot: Snapshot,
) => Promise<readonly SubjectPlace[]>;

/** Kept in memory: a query of the table would be the longest part of a search. The first question reads them. */
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
		return shownAbout(subjects, places, snapshot);
	};
}

/** The visible ones among the locations, by their resources. */
export function shownAbout(
	subjects: readonly PassageSubject[],
	places: ReadonlyMap<string, readonly PassageRef[]>,
	{ manifest }: Snapshot,
): SubjectPlace[] {
	return subjects.flatMap(({ resource, uri }, subject) =>
		(places.get(resource) ?? [])
			.filter(({ revision }) => {
				const source = manifest.uriOf(revision);
				// A blank node is local to its document.
				return source !== undefined && (!resource.startsWith("_:") || source === uri);
			})
			.map((place) => ({ ...place, subject })),
	);
}

async function bringUp(known: Known | undefined, { tables, manifest, version }: Snapshot): Promise<Known> {
	const { passages: table } = tables;
	const all = revisionsIn(manifest);
	const isKept = known?.table === table && known.revisions.size < 2 * all.length + FEW_DOCUMENTS;
	const base = isKept ? known : { revisions: new Set<number>(), places: new Map<string, PassageRef[]>() };
	const missing = all.filter((revision) => !base.revisions.has(revision));
	const found = missing.length > 0 ? await readPlaces(table, missing) : [];
	for (const { resource, ...place } of found) pushTo(base.places, resource, place);
	for (const revision of missing) base.revisions.add(revision);
	return { ...base, table, version };
}

async function readPlaces(table: Table, revisions: readonly number[]) {
	const isFew = revisions.length <= FEW_DOCUMENTS;
	const condition = isFew ? `resource != '' AND ${isOneOf("revision", revisions)}` : "resource != ''";
	const wanted = new Set(revisions);
	// Passages that are written and not committed yet are read when they are.
	return (await readAbout(table, condition)).filter(({ revision }) => wanted.has(revision));
}

export async function readAbout(
	table: Table,
	condition: string,
): Promise<(PassageRef & { readonly resource: string })[]> {
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
