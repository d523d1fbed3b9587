import { pushTo } from "../../base/values.ts";
import type { RowFilter } from "../../search/documentRows.ts";
import type { TextMatches } from "../../search/match.ts";
import { createPassageIndex } from "../../search/passageIndex.ts";
import { hasPhrases } from "../../search/phrases.ts";
import type { PlaceRef } from "../../search/rowColumns.ts";
import { emptyParts } from "../../search/snapshotFile.ts";
import { shownAbout } from "../../store/database/passageReads.ts";
import { firstOf } from "../../store/memory/memoryEngine.ts";
import type { MatchOptions, PassageSubject, StoredPassage } from "../../store/port/store.ts";
import { typeKeyOf, typeKeysOf } from "../../store/tables/columns.ts";
import type { DocumentView } from "./documentView.ts";

/** First row of shown passages. The store's rows are always lower. */
const FIRST_ROW = 2 ** 40;

const FALLOW_ROWS = 1000;

/** Index of the visible parts of partly hidden documents. Omits hidden words, because a hit would reveal them. */
export type ShownPassages = ReturnType<typeof createShownPassages>;

export function isShownRow(row: number): boolean {
	return row >= FIRST_ROW;
}

type State = ReturnType<typeof createState>;

function createState(base: number, revision = 0) {
	const passages = new Map<number, readonly StoredPassage[]>();
	const uriOf = (revision: number) => passages.get(revision)?.[0]?.uri;
	return {
		index: createPassageIndex(emptyParts(0), { base, uriOf: (revision) => uriOf(revision) ?? "" }),
		revision,
		held: new Map<string, { readonly view: DocumentView; readonly revision: number }>(),
		/** Passages by revision, in the order of the document. */
		passages,
		/** Passages by the id of the resource that they verbalize; some passages may be deleted. */
		places: new Map<string, PlaceRef[]>(),
		uriOf,
	};
}

export function createShownPassages() {
	let state = createState(FIRST_ROW);
	return {
		hold: (views: ReadonlyMap<string, DocumentView>) => {
			state = hold(state, views);
		},
		matchText: (query: string, options: MatchOptions) =>
			state.index.matchText(query, { ...filterOf(options, state), limit: options.limit }),
		spellings: (query: string) => state.index.spellings(query),
		rowsAbout: (subjects: readonly PassageSubject[], options: MatchOptions) =>
			rowsAbout(state, subjects, options),
		passageAt: (row: number) => passageAt(state, row),
	};
}

function hold(before: State, views: ReadonlyMap<string, DocumentView>): State {
	for (const [uri, { view }] of before.held) if (views.get(uri) !== view) drop(before, uri);
	const { base, documents } = before.index;
	const isFallow = documents.size > 2 * documents.passages + FALLOW_ROWS;
	const state = isFallow ? createState(base + documents.size, before.revision) : before;
	for (const [uri, view] of views) if (!state.held.has(uri)) add(state, uri, view);
	return state;
}

function passageAt({ index, passages }: State, row: number): StoredPassage | undefined {
	const place = index.placeOf(row);
	return place && passages.get(place.revision)?.[place.ordinal];
}

function add(state: State, uri: string, view: DocumentView): void {
	const { index, held, passages, places } = state;
	const revision = ++state.revision;
	const types = new Map(view.resources.map((resource) => [resource.id, resource.types]));
	const shown = [...view.passages.values()];
	passages.set(revision, shown);
	for (const [ordinal, passage] of shown.entries()) {
		const { resource = "" } = passage;
		const typeKeys = (types.get(resource) ?? []).flatMap(typeKeysOf);
		index.add({ revision, ordinal, passage, types: typeKeys, vector: new Float32Array() });
		if (resource !== "") pushTo(places, resource, { revision, ordinal });
	}
	index.documents.show(revision);
	held.set(uri, { view, revision });
}

function drop({ index, held, passages }: State, uri: string): void {
	const { revision = 0 } = held.get(uri) ?? {};
	index.documents.drop(revision);
	passages.delete(revision);
	held.delete(uri);
}

function filterOf({ uris, types, phrases }: MatchOptions, state: State): RowFilter {
	const filter: RowFilter = {
		...(uris && { revisions: uris.flatMap((uri) => state.held.get(uri)?.revision ?? []) }),
		...(types && { types: types.map(typeKeyOf) }),
	};
	if (!phrases?.length) return filter;
	const rows = state.index.rowsWithAll(phrases.join(" "), filter).filter((row) => {
		const passage = passageAt(state, row);
		return passage !== undefined && hasPhrases(passage, phrases);
	});
	return { ...filter, rows };
}

function rowsAbout(
	state: State,
	subjects: readonly PassageSubject[],
	{ phrases: _, ...options }: MatchOptions,
): Map<number, number> {
	const { index, places, uriOf } = state;
	const found = shownAbout(subjects, places, uriOf);
	const rows = index.rowsAt(found, filterOf(options, state));
	const placed = found.map(({ subject }, at) => ({ row: rows[at], subject }));
	return firstOf(placed, index.inOrder, options.limit);
}

export function mergeMatches(a: TextMatches, b: TextMatches, limit: number): TextMatches {
	const matches = [...a.matches, ...b.matches].sort((one, other) => other.score - one.score).slice(0, limit);
	return { ...a, matches, total: a.total + b.total };
}

/** Keeps words that are missing from both indexes, with the similar terms of both. */
export function mergeSpellings(
	a: ReadonlyMap<string, readonly string[]>,
	b: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
	const strange = [...a].filter(([word]) => b.has(word));
	return new Map(strange.map(([word, terms]) => [word, [...new Set([...terms, ...(b.get(word) ?? [])])]]));
}
