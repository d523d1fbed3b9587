import { rememberFor } from "../../base/jobs/lazily.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { RowFilter } from "../../search/documentRows.ts";
import type { PassageTopic } from "../../search/match.ts";
import type { PassageFinder, PassageIndex } from "../../search/passageIndex.ts";
import { rowsWithPhrases } from "../../search/phrases.ts";
import { type Database, revisionsOf, type Snapshot } from "../database/database.ts";
import { keyOf, readPlaces, type SubjectPlaces, toStored } from "../database/passageReads.ts";
import { MOST_QUOTED, type SearchEngine } from "../port/engine.ts";
import type { MatchOptions, PassageHead } from "../port/store.ts";
import { typeKeyOf } from "../tables/columns.ts";
import { createLiveIndex, type LiveIndex, type SnapshotPlace } from "./liveIndex.ts";

export function createMemoryEngine(database: Database, place: SnapshotPlace, about: SubjectPlaces) {
	const live = createLiveIndex(database, place);
	const { read, headsOf } = createMemoryReads(database, live);
	const findersAmong = rememberFinders(database);
	const finderIn = async (among: MatchOptions["among"]) => findersAmong(await live.current(), among);
	return {
		...live,
		kind: "memory",
		read,
		headsOf,
		placesAbout: (subjects) => about(subjects, database.snapshot()),
		placeOf: (row) => live.latest()?.placeOf(row),
		settle: async () => undefined,
		matchText: async (query, options) => {
			const finder = await finderIn(options.among);
			return finder.matchText(query, { ...(await filterOf(options, finder)), limit: options.limit });
		},
		spellings: async (query, among) => (await finderIn(among)).spellings(query),
		matchVector: async (vector, options) => {
			const finder = await finderIn(options.among);
			return finder.matchVector(vector, { ...(await filterOf(options, finder)), limit: options.limit });
		},
		cosines: (vector, rows) => live.latest()?.cosines(vector, rows) ?? new Map(),
		centreOf: (rows) => live.latest()?.centreOf(rows) ?? new Float32Array(),
		typicalCosine: async (vector, among) => (await finderIn(among)).medianCosine(vector),
		rowsAt: async (find, options) => {
			const index = await live.current();
			const places = await find();
			const finder = findersAmong(index, options.among);
			const rows = finder.rowsAt(places, await filterOf(options, finder));
			const found = places.map(({ subject }, number) => ({ row: rows[number], subject }));
			return firstOf(found, index.inOrder, options.limit);
		},
	} satisfies SearchEngine;

	async function filterOf({ uris, types, phrases }: MatchOptions, finder: PassageFinder): Promise<RowFilter> {
		const { manifest } = database.snapshot();
		const filter: RowFilter = {
			...(uris && { revisions: revisionsOf(uris, manifest) }),
			...(types && { types: types.map(typeKeyOf) }),
		};
		if (!phrases?.length) return filter;
		const rows = finder.rowsWithAll(phrases.join(" "), filter).slice(0, MOST_QUOTED);
		return { ...filter, rows: rowsWithPhrases(await read(rows), phrases) };
	}
}

function rememberFinders(database: Database) {
	const finderAmong = rememberFor((uris: readonly string[], index: PassageIndex, { manifest }: Snapshot) =>
		index.among(revisionsOf(uris, manifest)),
	);
	return (index: PassageIndex, among: MatchOptions["among"]): PassageFinder =>
		among ? finderAmong(among, index, database.snapshot()) : index;
}

function createMemoryReads(database: Database, live: LiveIndex) {
	return {
		headsOf: (rows: readonly number[]) => read(rows, (index, row) => index.headAt(row)),
		read: (rows: readonly number[]) => read(rows, (index, row) => index.passageAt(row)),
	};

	/** Takes the wanted part of passages in memory, but reads other passages whole from the table. */
	async function read<Part extends PassageTopic>(
		rows: readonly number[],
		partAt: (index: PassageIndex, row: number) => Part | undefined,
	): Promise<Map<number, (Part | Passage) & PassageHead>> {
		const index = live.latest();
		const places = rows.flatMap((row) => {
			const place = index?.placeOf(row);
			return index && place ? [{ row, place, part: partAt(index, row) }] : [];
		});
		const unread = places.flatMap(({ place, part }) => (part ? [] : [place]));
		const read = await readPlaces(unread, database.snapshot().tables);
		const { manifest } = database.snapshot();
		const found = new Map<number, (Part | Passage) & PassageHead>();
		for (const { row, place, part } of places) {
			const passage = part ?? read.get(keyOf(place));
			const stored = passage && toStored(place, passage, manifest);
			if (stored) found.set(row, stored);
		}
		return found;
	}
}

/** Returns the subjects by row, sorted by subject and by the order of rows. Ignores locations without a row. */
export function firstOf(
	found: readonly { readonly row: number | undefined; readonly subject: number }[],
	inOrder: PassageIndex["inOrder"],
	limit: number,
): Map<number, number> {
	const subjects = new Map<number, number>();
	for (const { row, subject } of found) if (row !== undefined) subjects.set(row, subject);
	const ordered = inOrder([...subjects.keys()]).map((row) => [row, subjects.get(row) ?? 0] as const);
	return new Map(ordered.sort(([, a], [, b]) => a - b).slice(0, limit));
}
