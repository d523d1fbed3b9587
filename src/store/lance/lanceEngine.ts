import type { Table } from "@lancedb/lancedb";
import type { Database, Snapshot } from "../database/database.ts";
import {
	createSubjectPlaces,
	noteAbout,
	type PassageRef,
	readAbout,
	type SubjectPlaces,
	shownAbout,
} from "../database/subjectPlaces.ts";
import type { SearchEngine } from "../port/engine.ts";
import { optimizeTable } from "../tables/indexes.ts";
import { isOneOf, quote } from "../tables/query.ts";
import { createFrequencies } from "./lanceFrequencies.ts";
import { areBehind, makeIndexes } from "./lanceIndexes.ts";
import { createLanceLoads } from "./lanceLoads.ts";
import { createLanceReads, createLanceVectors } from "./lanceReads.ts";
import { createLanceRows } from "./lanceRows.ts";
import { createCosineReader, createLengthReader } from "./lanceSample.ts";
import { createLanceSearches } from "./lanceSearches.ts";
import { createTermReader } from "./lanceTerms.ts";

/**
 * Searches the indexes that LanceDB keeps, on disk or far away: this process has only what was found last. No index is
 * begun once the signal is aborted.
 */
export function createLanceEngine(database: Database, firstRow: number, signal: AbortSignal): SearchEngine {
	const rows = createLanceRows(firstRow);
	const loads = createLanceLoads();
	const terms = createTermReader(createLengthReader(), createFrequencies());
	return {
		kind: "lancedb",
		...createLanceSearches(database, { rows, loads, terms }),
		...createLanceVectors(database, rows, createCosineReader()),
		...createLanceReads(database, { rows, loads }, createLanceSubjects()),
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

/** Resources of which it is remembered where they are; a question asks twice for most. */
const MOST_KNOWN = 5000;

/** What was read of one table, as of one version. */
interface Known {
	readonly table: Table;
	readonly version: number;
	/** By the id of the resource. */
	readonly places: Map<string, PassageRef[]>;
}

/** Looks resources up in the table's index, until the places of all have been read: the first answer does not wait for that. */
function createLanceSubjects(): SubjectPlaces {
	const lookUp = createLookUp();
	const readAll = createSubjectPlaces();
	let isAsked = false;
	let isRead = false;
	return async (subjects, snapshot) => {
		if (subjects.length === 0) return [];
		if (isRead) return readAll(subjects, snapshot);
		// What could not be read now is read by the next question, or by its own reading.
		if (isAsked)
			readAll(subjects, snapshot).then(
				() => {
					isRead = true;
				},
				() => undefined,
			);
		isAsked = true;
		return lookUp(subjects, snapshot);
	};
}

/** Each lookup takes as long as a leg. */
function createLookUp(): SubjectPlaces {
	let known: Known | undefined;
	return async (subjects, snapshot) => {
		known = knownOf(snapshot, known);
		const { places } = known;
		const missing = new Set(subjects.map(({ resource }) => resource).filter((id) => !places.has(id)));
		if (missing.size > 0) {
			const found = await readAbout(snapshot.tables.passages, isOneOf("resource", [...missing].map(quote)));
			for (const id of missing) places.set(id, []);
			for (const { resource, ...place } of found) noteAbout(places, resource, place);
		}
		return shownAbout(subjects, places, snapshot);
	};
}

function knownOf({ tables, version }: Snapshot, known: Known | undefined): Known {
	const isSame = known?.table === tables.passages && known.version === version;
	return isSame && known.places.size < MOST_KNOWN
		? known
		: { table: tables.passages, version, places: new Map() };
}
