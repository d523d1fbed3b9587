import { createAnalyzer, isMark } from "./analyzer.ts";
import { createShares, rankByTerms } from "./bm25.ts";
import { createDocumentRows, maskOf, onlyOf, type RowFilter } from "./documentRows.ts";
import { createForeignness, createInvertedIndex, rowsWithEach } from "./invertedIndex.ts";
import type { Match, TextMatches } from "./match.ts";
import { type PassageRow, type PlaceRef, writeRow } from "./rowColumns.ts";
import { type IndexParts, pack } from "./snapshotFile.ts";
import { nearestTerms, spelledWords } from "./spelling.ts";

interface PassageFilter extends RowFilter {
	readonly limit: number;
}

/** Searches passages in memory. Statistics cover only passages that can be found. */
export type PassageFinder = ReturnType<typeof createFinder>;

/** Searchable copy of passages in memory. The table is the source of truth. */
export type PassageIndex = ReturnType<typeof createPassageIndex>;

interface RowOrder {
	readonly base: number;
	/** The URI of the revision's document, which orders equally good passages. */
	readonly uriOf: (revision: number) => string;
}

/** Creates an index of the passages in `parts`, and takes ownership of `parts`. */
export function createPassageIndex(parts: IndexParts, order: RowOrder) {
	const state = createState(parts, order);
	const { base, documents } = state;
	return {
		...createFinder(state),
		documents,
		/** Number of the first row. Numbers of rows of other indexes differ. */
		base,
		/** Adds a passage, which can be found once the passage's document is shown. */
		add: (passage: PassageRow) => addPassage(state, passage),
		/** Searches these revisions only. Valid until another document is shown or dropped. */
		among: (revisions: Iterable<number>) => {
			const among = onlyOf(revisions, documents, parts.columns);
			return createFinder({ ...state, documents: among, scores: new Float32Array(0) });
		},
		placeOf: (row: number) => placeOf(state, row - base),
		/** The passage of a visible row; `undefined` if the table must be read. */
		passageAt: (row: number) => parts.texts.passageAt(row - base),
		/** The topic of a visible row; `undefined` if the table must be read. */
		headAt: (row: number) => parts.texts.headAt(row - base),
		inOrder: (rows: readonly number[]) =>
			rows.toSorted((row, other) => (state.comesBefore(row - base, other - base) ? -1 : 1)),
		pack: () => pack(state),
		/** Closes the snapshot file. Passages that were not read from the file yet are read from the table. */
		leaveFile: () => parts.texts.close(),
	};
}

function createFinder(state: State) {
	const { base, documents, vectors } = state;
	/** Numbers of rows within the parts. Omits rows of an older index. */
	const placed = (rows: readonly number[]) => rows.map((row) => row - base).filter((row) => row >= 0);
	return {
		matchText: (query: string, filter: PassageFilter) => rank(state, query, filter),
		spellings: (query: string) => findSpellings(state, query),
		rowsWithAll: (text: string, filter: RowFilter) => rankWithAll(state, text, filter),
		matchVector: (vector: Float32Array, filter: PassageFilter) => {
			const mask = maskIn(state, filter);
			const query = { ...filter, mask, comesBefore: state.comesBefore };
			const allowed = mask === documents.live && { allowed: documents.passages };
			return numbered(state, vectors?.match(vector, { ...query, ...allowed }) ?? []);
		},
		cosines: (vector: Float32Array, rows: readonly number[]) => {
			const found = new Map<number, number>();
			for (const [row, cosine] of vectors?.cosines(vector, placed(rows)) ?? []) found.set(row + base, cosine);
			return found;
		},
		centreOf: (rows: readonly number[]) => vectors?.centreOf(placed(rows)) ?? new Float32Array(),
		medianCosine: (vector: Float32Array) => vectors?.medianCosine(vector, documents.live) ?? 0,
		/** Returns `undefined` for a passage that is hidden or filtered out. */
		rowsAt: (places: readonly PlaceRef[], filter: RowFilter) => {
			const mask = maskIn(state, filter);
			return places.map(({ revision, ordinal }) => {
				const row = rowAt(state, revision, ordinal);
				return row !== undefined && mask[row] === 1 ? row + base : undefined;
			});
		},
	};
}

function findSpellings(state: State, query: string): Map<string, readonly string[]> {
	const isShown = isShownIn(state);
	const strange = spelledWords(query).filter((word) => {
		const { terms } = state.analyzer.queryTermsOf(word.toLowerCase(), isShown);
		return terms.length > 0 && !terms.some(isShown);
	});
	const all = strange.length > 0 ? [...state.words.terms()] : [];
	return new Map(strange.map((word) => [word, nearestTerms(word, all, isShown)]));
}

type State = ReturnType<typeof createState>;

function createState(parts: IndexParts, { base, uriOf }: RowOrder) {
	const { columns } = parts;
	const documents = createDocumentRows(columns, parts.size);
	/** By the URI of the document, then by the position in the document. */
	const comesBefore = (row: number, other: number) => {
		const [owner, otherOwner] = [columns.owners[row] ?? 0, columns.owners[other] ?? 0];
		if (owner !== otherOwner) return uriOf(owner) < uriOf(otherOwner);
		return (columns.ordinals[row] ?? 0) < (columns.ordinals[other] ?? 0);
	};
	return {
		...parts,
		words: createInvertedIndex(parts.postings),
		base,
		documents,
		analyzer: createAnalyzer(),
		scores: new Float32Array(0),
		comesBefore,
	};
}

function addPassage(state: State, passage: PassageRow): void {
	const { documents, columns, typeSets, vectors, texts } = state;
	const { revision, ordinal, types, vector } = passage;
	const length = addWords(state, passage);
	texts.add(passage.passage);
	vectors?.add(vector);
	const facts = { owner: revision, ordinal, length, typeSet: typeSets.add(types) };
	writeRow(columns, documents.size, facts);
	documents.extend();
}

function addWords({ documents, words, analyzer }: State, { passage, terms }: PassageRow): number {
	if (terms) {
		words.addCounted(documents.size, terms);
		return terms.length;
	}
	const found = analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
	words.add(documents.size, found);
	return found.filter((term) => !isMark(term)).length;
}

function rank(state: State, query: string, filter: PassageFilter): TextMatches {
	const asked = state.analyzer.queryTermsOf(query, isShownIn(state));
	const { language } = asked;
	const { least, shareOf } = createShares(asked, state);
	const mask = maskIn(state, filter);
	const { matches } = rankByTerms(asked.terms, state, { ...filter, mask, least });
	const isForeign = language && createForeignness(language, state.words);
	const tell = ({ row, score }: Match): Match => ({
		row: row + state.base,
		score,
		...shareOf(score),
		...(isForeign?.(row) && { isForeign: true }),
	});
	let total = 0;
	for (const terms of asked.required)
		for (const row of rowsWithEach(terms, state.words)) total += mask[row] as number;
	return { matches: matches.map(tell), total };
}

function isShownIn({ words, documents: { live } }: State): (term: string) => boolean {
	return (term) => words.postingsOf(term)?.rows.some((row) => live[row] === 1) ?? false;
}

function rankWithAll(state: State, text: string, filter: RowFilter): number[] {
	const { terms, required } = state.analyzer.queryTermsOf(text, isShownIn(state));
	const live = maskIn(state, filter);
	const mask = new Uint8Array(live.length);
	for (const each of required)
		for (const row of rowsWithEach(each, state.words)) mask[row] = live[row] as number;
	const { matches } = rankByTerms(terms, state, { limit: state.documents.passages, mask });
	return numbered(state, matches).map(({ row }) => row);
}

function maskIn(state: State, filter: RowFilter): Uint8Array {
	const rows = filter.rows?.map((row) => row - state.base);
	return maskOf({ ...filter, ...(rows && { rows }) }, state);
}

function numbered({ base }: State, matches: readonly Match[]): Match[] {
	return matches.map((match) => ({ ...match, row: match.row + base }));
}

function placeOf({ documents, columns }: State, row: number): PlaceRef | undefined {
	if (documents.live[row] !== 1) return undefined;
	return { revision: columns.owners[row] ?? 0, ordinal: columns.ordinals[row] ?? 0 };
}

function rowAt({ documents, columns }: State, revision: number, ordinal: number): number | undefined {
	const likely = documents.firstOf(revision) + ordinal;
	if (columns.owners[likely] === revision && columns.ordinals[likely] === ordinal) return likely;
	for (const row of documents.rowsOf(revision)) if (columns.ordinals[row] === ordinal) return row;
	return undefined;
}
