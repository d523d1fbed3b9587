import { MatchQuery } from "@lancedb/lancedb";
import { makeVector, type Vector } from "apache-arrow";
import { createLast } from "../../base/jobs/lazily.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { LANGUAGES } from "../../base/language/languages.ts";
import { cosine } from "../../base/words/relevance.ts";
import { createAnalyzer, isMark, markOf } from "../../search/analyzer.ts";
import { idfOf, idfOfScore } from "../../search/bm25.ts";
import type { PassageRow } from "../../search/rowColumns.ts";
import type { Manifest, Snapshot } from "../database/database.ts";
import { toSingles } from "../tables/columns.ts";
import { termsOf } from "../tables/passageTable.ts";
import { runQuery } from "../tables/query.ts";

interface CountedTerms {
	readonly idfs: Known["idfs"];
	readIdf(term: string): Promise<number>;
}

interface Known {
	/** The cache is valid for this manifest, which changes when another process commits. */
	readonly manifest: Manifest;
	readonly idfs: Map<string, number | Promise<number>>;
}

/** Marks of all languages except English, in which a query is also read. */
const MARKS = LANGUAGES.filter((language) => language !== "en").map(markOf);

/** All marks are queried together, so the first mark represents all of them. */
const FIRST_MARK = MARKS[0] ?? "";

/** Terms in fewer passages are rare: a removed document may have contained the last occurrence. */
const RARE = 100;

/** Maximum number of terms to look up per query, with one request each. Further terms count as rare. */
const MOST_ASKED = 100;

const MOST_KNOWN = 10_000;

/** Estimates frequent terms from a sample, and looks up rare terms in the index. */
export type TermReader = ReturnType<typeof createTermReader>;

/** Minimum number of sampled passages with a term: with fewer, the idf would be off by more than 5 %. */
const LEAST = 30;

export function createTermReader() {
	const lengthOf = createSampleReader({ column: "terms", rows: 128, run: 4, tell: usualLength });
	const sharesFor = createShares();
	const analyzer = createAnalyzer();
	const staged = new Set<string>();
	let known: Known | undefined;
	return {
		read,
		/** Collects terms that must be looked up again after the next commit. */
		stage: (rows: readonly PassageRow[]) => {
			for (const row of rows) for (const term of termsOf(row, analyzer)) staged.add(term);
		},
		/** Keeps most frequencies: looking up every word after each saved document would outlast the searches. */
		commit: () => {
			if (known) known = { ...known, idfs: lastingOf(known, staged) };
			staged.clear();
		},
		forget: () => {
			known = undefined;
		},
	};

	async function read(query: string, snapshot: Snapshot, among?: CountedTerms) {
		const { found, look } = among ? createLook(among.idfs, among.readIdf) : await lookAtAll(snapshot);
		const isKnown = (term: string) => (found.get(term) ?? 0) > 0;
		const wanted = new Set<string>();
		await look(MARKS);
		// Assume first that all terms exist, to learn which terms matter.
		analyzer.queryTermsOf(query, (term) => (isMark(term) ? isKnown(term) : wanted.add(term).size > 0));
		await look(firstOf(wanted));
		const asked = analyzer.queryTermsOf(query, isKnown);
		/** Inverse document frequencies for shares of scores, which most searches do not need. */
		const idfs = async () => {
			const [english = []] = asked.readings;
			if (asked.language === undefined || asked.language === "en") await look(firstOf(new Set(english)));
			return (term: string) => found.get(term) ?? 0;
		};
		return { asked, idfs };
	}

	async function lookAtAll(snapshot: Snapshot) {
		const { manifest } = snapshot;
		if (known?.manifest !== manifest || known.idfs.size > MOST_KNOWN) known = { manifest, idfs: new Map() };
		// Keep a reference, because `known` may be cleared during the next await.
		const { idfs } = known;
		if (!idfs.has(FIRST_MARK)) await noteMarks(idfs, snapshot);
		const shares = sharesFor(snapshot);
		return createLook(idfs, async (term) => {
			const share = shares.get(term);
			return share === undefined
				? readIdf(term, snapshot, lengthOf)
				: idfOf(share * manifest.passages, manifest.passages);
		});
	}
}

function firstOf(terms: ReadonlySet<string>): string[] {
	return [...terms].slice(0, MOST_ASKED);
}

function createLook(idfs: Known["idfs"], readIdf: (term: string) => Promise<number>) {
	const found = new Map<string, number>();
	return {
		found,
		look: async (terms: Iterable<string>) => {
			const all = Array.from(terms, async (term) => {
				const asking = idfs.get(term) ?? askedOnce(term);
				idfs.set(term, asking);
				const idf = await asking;
				idfs.set(term, idf);
				found.set(term, idf);
			});
			await Promise.all(all);
		},
	};

	/** Drops a failed lookup, so that the next call looks the term up again. */
	function askedOnce(term: string): Promise<number> {
		return readIdf(term).catch((thrown: unknown) => {
			idfs.delete(term);
			throw thrown;
		});
	}
}

/** Checks all marks with one query, because most folders are in English only and have no marks. */
async function noteMarks(idfs: Known["idfs"], { tables }: Snapshot): Promise<void> {
	const words = new MatchQuery(MARKS.join(" "), "terms");
	const query = tables.passages.query().fullTextSearch(words).select(["_score"]).limit(1);
	if ((await runQuery(query)).numRows === 0) for (const mark of MARKS) idfs.set(mark, 0);
}

/** Scanning rows outside of the index is slow, so only terms that the index lacks are searched there. */
async function readIdf(term: string, snapshot: Snapshot, lengthOf: SampleReader<number>): Promise<number> {
	const { passages } = snapshot.tables;
	const search = () => passages.query().fullTextSearch(new MatchQuery(term, "terms"));
	for (const found of [search().fastSearch(), search()]) {
		const result = await runQuery(found.select(["terms", "_score"]).limit(1));
		const terms = String(result.getChild("terms")?.get(0) ?? "").split(" ");
		const count = terms.filter((other) => other === term).length;
		if (count === 0) continue;
		const usual = await lengthOf(snapshot);
		return idfOfScore(Number(result.getChild("_score")?.get(0)), { count, length: terms.length / usual });
	}
	return 0;
}

/** Returns frequencies that remain valid after a commit. Drops running queries, which may see the state before. */
function lastingOf({ manifest, idfs }: Known, staged: ReadonlySet<string>): Known["idfs"] {
	const most = idfOf(RARE, manifest.passages);
	const isLasting = (term: string, idf: number) => (idf === 0 ? !staged.has(term) : idf <= most);
	return new Map([...idfs].filter(([term, idf]) => typeof idf === "number" && isLasting(term, idf)));
}

/** Estimates frequent terms from 20,000 passages in the background, because LanceDB needs a search per term. */
function createShares() {
	const read = createSampleReader({ column: "terms", rows: 20_000, run: 25, tell: sharesIn });
	let isAsked = false;
	let shares: ReadonlyMap<string, number> = new Map();
	const note = async (snapshot: Snapshot) => {
		shares = await read(snapshot);
	};
	return (snapshot: Snapshot) => {
		// If this read fails, the next question starts another read.
		if (isAsked) note(snapshot).catch(() => undefined);
		isAsked = true;
		return shares;
	};
}

async function sharesIn(passages: Vector): Promise<ReadonlyMap<string, number>> {
	const pacer = createPacer();
	const counts = new Map<string, number>();
	for (const terms of passages) {
		for (const term of new Set(String(terms).split(" "))) counts.set(term, (counts.get(term) ?? 0) + 1);
		if (pacer.isDue) await pacer.rest();
	}
	const frequent = [...counts].filter(([, count]) => count >= LEAST);
	return new Map(frequent.map(([term, count]) => [term, count / passages.length]));
}

interface Sample<Told> {
	readonly column: "terms" | "vector";
	readonly rows: number;
	readonly run: number;
	tell(values: Vector): Told | Promise<Told>;
}

/** Share by which an index may grow or shrink before another sample is read. */
const MUCH = 0.1;

type SampleReader<Told> = (snapshot: Snapshot) => Promise<Told>;

/** Returns the average number of terms of a passage. LanceDB also counts marks of languages. */
export function usualLength(texts: Iterable<unknown>): number {
	const lengths = Array.from(texts, (terms) => String(terms).split(" ").length);
	return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
}

/** Median cosine between a vector and a sample; 0 if the sample is empty. Requires a vector column. */
export function createCosineReader(): SampleReader<(vector: Float32Array) => number> {
	const tell = (found: Vector) => {
		const vectors = readVectors(found);
		return (vector: Float32Array) => medianCosine(vector, vectors);
	};
	return createSampleReader({ column: "vector", rows: 128, run: 4, tell });
}

export function readVectors(column: Vector | null): Float32Array[] {
	return [...(column ?? [])].flatMap((vector) => (vector ? [toSingles(vector.toArray()).slice()] : []));
}

export function medianCosine(vector: Float32Array, others: readonly Float32Array[]): number {
	return Float32Array.from(others, (other) => cosine(vector, other)).sort()[others.length >> 1] ?? 0;
}

function createSampleReader<Told>(sample: Sample<Told>): SampleReader<Told> {
	const last = createLast<Promise<Told>>();
	let size = 0;
	return (snapshot) => {
		const { passages } = snapshot.manifest;
		if (Math.abs(passages - size) > MUCH * size) size = passages;
		// Tables of another generation may have vectors of another model.
		return last([snapshot.tables.generation, size], () => readSample(snapshot, sample).then(sample.tell));
	};
}

async function readSample<Told>({ tables }: Snapshot, { column, rows, run }: Sample<Told>): Promise<Vector> {
	const table = tables.passages;
	const all = await table.countRows();
	const count = Math.min(all, rows);
	const offsets = Array.from({ length: count }, (_, index) => {
		const at = index % run;
		return Math.min(all - 1, Math.floor(((index - at) * all) / count) + at);
	});
	const result = await runQuery(table.takeOffsets(offsets).select([column]));
	return result.getChild(column) ?? makeVector(new Uint8Array());
}
