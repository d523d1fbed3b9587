import type { RowFilter } from "../../search/documentRows.ts";
import type { TextMatches } from "../../search/match.ts";
import { createPassageIndex, type PassageIndex } from "../../search/passageIndex.ts";
import { hasPhrases } from "../../search/phrases.ts";
import { emptyParts } from "../../search/snapshotFile.ts";
import { firstOf } from "../../store/memory/memoryEngine.ts";
import type { MatchOptions, PassageSubject, StoredPassage } from "../../store/port/store.ts";
import { typeKeyOf, typeKeysOf } from "../../store/tables/columns.ts";
import type { DocumentView } from "./documentView.ts";

/** Rows from here on are of shown passages; the store's rows never get there. */
const FIRST_ROW = 2 ** 40;

/** Rows of what is gone that are borne with. */
const FALLOW_ROWS = 1000;

/**
 * The visible parts of partly hidden documents, found by visible words only. The store's own index also knows hidden
 * words: finding a passage by them would already reveal them.
 */
export type ShownPassages = ReturnType<typeof createShownPassages>;

export function isShownRow(row: number): boolean {
	return row >= FIRST_ROW;
}

interface Held {
	readonly view: DocumentView;
	readonly revision: number;
}

type State = ReturnType<typeof createState>;

function createState() {
	const uris = new Map<number, string>();
	return {
		index: createIndex(uris, FIRST_ROW),
		revision: 0,
		held: new Map<string, Held>(),
		uris,
		passages: new Map<number, StoredPassage>(),
		/** By the id of the resource that they verbalize. */
		rowsOf: new Map<string, Set<number>>(),
	};
}

export function createShownPassages() {
	const state = createState();
	return {
		hold: (views: ReadonlyMap<string, DocumentView>) => hold(state, views),
		matchText: (query: string, options: MatchOptions) =>
			state.index.matchText(query, { ...filterOf(options, state), limit: options.limit }),
		spellings: (query: string) => state.index.spellings(query),
		rowsAbout: (subjects: readonly PassageSubject[], options: MatchOptions) =>
			rowsAbout(state, subjects, options),
		/** `undefined` if the row has no shown passage any more. */
		passageAt: (row: number) => state.passages.get(row),
	};
}

function createIndex(uris: ReadonlyMap<number, string>, base: number): PassageIndex {
	return createPassageIndex(emptyParts(0), { base, uriOf: (revision) => uris.get(revision) ?? "" });
}

function hold(state: State, views: ReadonlyMap<string, DocumentView>): void {
	const { held } = state;
	for (const [uri, { view }] of held) if (views.get(uri) !== view) drop(state, uri);
	const { documents, base } = state.index;
	if (documents.size > 2 * documents.passages + FALLOW_ROWS) {
		for (const uri of [...held.keys()]) drop(state, uri);
		state.index = createIndex(state.uris, base + documents.size);
	}
	for (const [uri, view] of views) if (!held.has(uri)) add(state, uri, view);
}

function add(state: State, uri: string, view: DocumentView): void {
	const { index, held, uris, passages, rowsOf } = state;
	const revision = ++state.revision;
	uris.set(revision, uri);
	const types = new Map(view.resources.map((resource) => [resource.id, resource.types]));
	for (const [ordinal, passage] of [...view.passages.values()].entries()) {
		const { resource = "" } = passage;
		const row = index.base + index.documents.size;
		const typeKeys = (types.get(resource) ?? []).flatMap(typeKeysOf);
		index.add({ revision, ordinal, passage, types: typeKeys, vector: new Float32Array() });
		passages.set(row, passage);
		if (resource !== "") rowsOf.set(resource, (rowsOf.get(resource) ?? new Set()).add(row));
	}
	index.documents.show(revision);
	held.set(uri, { view, revision });
}

function drop({ index, held, uris, passages, rowsOf }: State, uri: string): void {
	const { revision = 0 } = held.get(uri) ?? {};
	for (const place of [...index.documents.rowsOf(revision)]) {
		const row = index.base + place;
		rowsOf.get(passages.get(row)?.resource ?? "")?.delete(row);
		passages.delete(row);
	}
	index.documents.drop(revision);
	uris.delete(revision);
	held.delete(uri);
}

function filterOf({ uris, types, phrases }: MatchOptions, { index, held, passages }: State): RowFilter {
	const filter: RowFilter = {
		...(uris && { revisions: uris.flatMap((uri) => held.get(uri)?.revision ?? []) }),
		...(types && { types: types.map(typeKeyOf) }),
	};
	if (!phrases?.length) return filter;
	const rows = index.rowsWithAll(phrases.join(" "), filter).filter((row) => {
		const passage = passages.get(row);
		return passage !== undefined && hasPhrases(passage, phrases);
	});
	return { ...filter, rows };
}

function rowsAbout(
	{ index, passages, rowsOf }: State,
	subjects: readonly PassageSubject[],
	{ limit, uris, types }: MatchOptions,
): Map<number, number> {
	const wanted = uris && new Set(uris);
	const isWanted = ({ uri }: StoredPassage, subject: PassageSubject) =>
		(!wanted || wanted.has(uri)) && (!subject.resource.startsWith("_:") || subject.uri === uri);
	const found = subjects.flatMap((subject, at) =>
		[...(rowsOf.get(subject.resource) ?? [])].flatMap((row) => {
			const [passage, place] = [passages.get(row), index.placeOf(row)];
			return passage && place && isWanted(passage, subject) ? [{ row, subject: at, place }] : [];
		}),
	);
	const places = found.map(({ place }) => place);
	const shown = index.rowsAt(places, types ? { types: types.map(typeKeyOf) } : {});
	const kept = found.filter((_, at) => shown[at] !== undefined);
	return firstOf(kept, index.inOrder, limit);
}

export function mergeMatches(a: TextMatches, b: TextMatches, limit: number): TextMatches {
	const matches = [...a.matches, ...b.matches].sort((one, other) => other.score - one.score).slice(0, limit);
	return { ...a, matches, total: a.total + b.total };
}

/** A word is strange only if neither has it. */
export function mergeSpellings(
	a: ReadonlyMap<string, readonly string[]>,
	b: ReadonlyMap<string, readonly string[]>,
): Map<string, readonly string[]> {
	const strange = [...a].filter(([word]) => b.has(word));
	return new Map(strange.map(([word, terms]) => [word, [...new Set([...terms, ...(b.get(word) ?? [])])]]));
}
