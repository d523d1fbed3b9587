import type { Table } from "@lancedb/lancedb";
import { rememberLast } from "../../base/jobs/lazily.ts";
import { pushTo } from "../../base/values.ts";
import { cosine } from "../../base/words/relevance.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import { hasPhrases } from "../../search/phrases.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import { centreOf } from "../../search/vectorMemory.ts";
import type { Database, Snapshot } from "../database/database.ts";
import {
	createSubjectPlaces,
	inPlaces,
	isAmong,
	keyOf,
	type PassageRef,
	readAbout,
	type SubjectPlaces,
	shownAbout,
	toStored,
} from "../database/passageReads.ts";
import type { SearchEngine, SubjectPlace } from "../port/engine.ts";
import type { MatchOptions, StoredPassage } from "../port/store.ts";
import { isOneOf, optimizeTable, quote } from "../tables/query.ts";
import { type AmongReader, createAmongReader, lanceFilterOf } from "./lanceAmong.ts";
import { areBehind, makeIndexes } from "./lanceIndexes.ts";
import {
	createLanceLoads,
	createLanceRows,
	type FoundPassage,
	type LanceLoads,
	type LanceRows,
	type LoadPassages,
} from "./lanceLoads.ts";
import { createLanceSearches } from "./lanceSearches.ts";
import { createCosineReader, createTermReader } from "./lanceTerms.ts";

export function createLanceEngine(database: Database, firstRow: number, signal: AbortSignal): SearchEngine {
	const rows = createLanceRows(firstRow);
	const loads = createLanceLoads();
	const placesAbout = createLanceSubjects();
	const terms = createTermReader();
	const among = createAmongReader();
	return {
		kind: "lancedb",
		...createLanceSearches(database, { rows, loads, terms, among }),
		...createLanceVectors(database, rows, among),
		...createLanceReads(database, rows, loads),
		placesAbout: (subjects) => placesAbout(subjects, database.snapshot()),
		placeOf: rows.placeOf,
		follow: async () => undefined,
		stage: async (staged) => terms.stage(staged),
		unstage: () => undefined,
		commit: terms.commit,
		settle: async () => {
			const { tables } = database.snapshot();
			if (await areBehind(tables)) await optimizeTable(tables.passages);
		},
		tidy: async () => {
			await makeIndexes(database.snapshot().tables, signal);
			terms.forget();
		},
		drop: async () => undefined,
		close: async () => undefined,
	};
}

/** Looks resources up in the table's index until all locations are read, so that the first answer is fast. */
function createLanceSubjects(): SubjectPlaces {
	const lookUp = createLookUp();
	const readAll = createSubjectPlaces();
	let isAsked = false;
	let isRead = false;
	const read = async (...asked: Parameters<SubjectPlaces>) => {
		await readAll(...asked);
		isRead = true;
	};
	return async (subjects, snapshot) => {
		if (subjects.length === 0) return [];
		if (isRead) return readAll(subjects, snapshot);
		// If this read fails, the next question starts another read.
		if (isAsked) read(subjects, snapshot).catch(() => undefined);
		isAsked = true;
		return lookUp(subjects, snapshot);
	};
}

/** Caches lookups, because each takes as long as a search by words and most are repeated within a question. */
function createLookUp(): SubjectPlaces {
	const placesIn = rememberLast((_table: Table, _version: number) => new Map<string, PassageRef[]>());
	return async (subjects, snapshot) => {
		const places = placesIn(snapshot.tables.passages, snapshot.version);
		const missing = new Set(subjects.map(({ resource }) => resource).filter((id) => !places.has(id)));
		if (missing.size > 0) {
			const found = await readAbout(snapshot.tables.passages, isOneOf("resource", [...missing].map(quote)));
			for (const id of missing) places.set(id, []);
			for (const { resource, ...place } of found) pushTo(places, resource, place);
		}
		return shownAbout(subjects, places, snapshot.manifest.uriOf);
	};
}

function createLanceReads(database: Database, rows: LanceRows, loads: LanceLoads) {
	const places = createLancePlaces(rows, loads);
	return {
		rowsAt: (find, options) => {
			const snapshot = database.snapshot();
			return loads.together(snapshot, async (load) => places.load(await find(), options, { snapshot, load }));
		},
		headsOf: read,
		read,
	} satisfies Partial<SearchEngine>;

	async function read(wanted: readonly number[]): Promise<Map<number, StoredPassage>> {
		const snapshot = database.snapshot();
		const forgotten = wanted.flatMap((row) => {
			const place = rows.recall(row) ? undefined : rows.placeOf(row);
			return place && snapshot.manifest.uriOf(place.revision) !== undefined ? [place] : [];
		});
		await places.remember(forgotten, snapshot);
		const { manifest } = database.snapshot();
		const passages = new Map<number, StoredPassage>();
		for (const row of wanted) {
			const found = rows.recall(row);
			const passage = found && toStored(found, found.passage, manifest);
			if (passage) passages.set(row, passage);
		}
		return passages;
	}
}

function createLanceVectors(database: Database, rows: LanceRows, among: AmongReader) {
	const cosineIn = createCosineReader();
	return {
		cosines: (vector, wanted) => {
			const cosines = new Map<number, number>();
			for (const row of wanted) {
				const { vector: other } = rows.recall(row) ?? {};
				if (other?.length === vector.length) cosines.set(row, cosine(vector, other));
			}
			return cosines;
		},
		centreOf: (wanted) => centreOf(wanted.flatMap((row) => rows.recall(row)?.vector ?? [])),
		typicalCosine: async (vector, uris) => {
			if (uris) return (await among(uris, database.snapshot())).typicalCosine(vector);
			return (await cosineIn(database.snapshot()))(vector);
		},
	} satisfies Partial<SearchEngine>;
}

const MOST_PLACES = 2000;

type PlaceLook = { readonly snapshot: Snapshot; readonly load: LoadPassages };

function createLancePlaces(rows: LanceRows, loads: LanceLoads) {
	const remember = createRemember(rows, loads);
	return { load, remember: remember.where };

	async function load(places: readonly SubjectPlace[], options: MatchOptions, look: PlaceLook) {
		const { manifest } = look.snapshot;
		const { limit, types, phrases = [] } = options;
		const filter = lanceFilterOf(options, look.snapshot);
		const isNarrowed = types !== undefined || phrases.length > 0;
		const before = inPlaces(manifest);
		const sorted = [...new Map(places.filter(filter.lets).map((place) => [keyOf(place), place])).values()]
			.sort((a, b) => a.subject - b.subject || before(a, b))
			.slice(0, isNarrowed ? MOST_PLACES : limit);
		const loaded = sorted.map((place) => ({ row: rows.rowOf(place, manifest), place }));
		const missing = loaded.filter(({ row }) => types || !rows.recall(row)).map(({ place }) => place);
		// Only LanceDB can compare classes, so cached passages do not help.
		const asked = types ? missing : await remember.at(missing, look);
		const found = await remember.where(asked, look.snapshot, types && filter.condition);
		const shown = types ? loaded.filter(({ place }) => found.has(keyOf(place))) : loaded;
		const quoted = shown.filter(({ row }) => isQuoted(rows.recall(row)?.passage, phrases)).slice(0, limit);
		return new Map(quoted.map(({ row, place }) => [row, place.subject]));
	}
}

function isQuoted(passage: Passage | undefined, phrases: readonly string[]): boolean {
	return phrases.length === 0 || (passage !== undefined && hasPhrases(passage, phrases));
}

function createRemember(rows: LanceRows, loads: LanceLoads) {
	const note = (found: FoundPassage, { manifest }: Snapshot) =>
		rows.remember(rows.rowOf(found, manifest), found);
	return {
		/** Reads rows at their known addresses. Returns the locations that have other addresses now. */
		at: async (places: readonly SubjectPlace[], { snapshot, load }: PlaceLook) => {
			const found = await load(places.flatMap(({ address }) => address ?? []));
			return places.filter((place) => {
				const passage = found.get(place.address ?? Number.NaN);
				if (!passage || keyOf(passage) !== keyOf(place)) return true;
				note(passage, snapshot);
				return false;
			});
		},
		where: async (places: readonly PlaceRef[], snapshot: Snapshot, condition?: string) => {
			if (places.length === 0) return new Set<string>();
			const among = isAmong(places);
			const wanted = new Set(places.map(keyOf));
			const found = await loads.readWhere(condition ? `${among} AND ${condition}` : among, snapshot);
			const asked = found.filter((passage) => wanted.has(keyOf(passage)));
			for (const passage of asked) note(passage, snapshot);
			return new Set(asked.map(keyOf));
		},
	};
}
