import { rememberFor } from "../base/jobs/lazily.ts";
import { readPath } from "../core/knowledge/citation.ts";
import type { SearchQuery } from "../core/knowledge/knowledge.ts";
import { LEAST_SHARE } from "../search/match.ts";
import { isOfPhrases, phrasesIn, rowsWithPhrases } from "../search/phrases.ts";
import type { DocumentReads, Documents, MatchOptions, PassageReads } from "../store/port/store.ts";
import type { Candidate, PlacePorts } from "./candidate.ts";
import { type Fused, fuse, type LegResults, rankDocuments } from "./fuse.ts";
import { type EntityLeg, type LegPorts, type LegRun, runLegs } from "./legs.ts";
import { type Lengths, medianLength, rankByDocument } from "./rankByDocument.ts";
import { STATIC_SCALE, type VectorScale } from "./vectorScale.ts";

export const CANDIDATES = 100;

export const DEFAULT_LIMIT = 10;

export interface LookPorts extends LegPorts, PlacePorts {
	readonly store: PassageReads & DocumentReads;
}

export interface Look {
	readonly run: LegRun;
	/** Best first. */
	readonly candidates: readonly Candidate[];
	/** Whether any passage matches the query; if not, the candidates are only the nearest passages. */
	readonly isMatched: boolean;
	/** Whether all results of the text leg match, so that passages beyond the leg's limit may match too. */
	readonly areWordsTelling: boolean;
	readonly missed: number;
	readonly notices: readonly string[];
}

/** Finds passages. If the query consists of quoted phrases, passages must contain them, unless no passage does. */
export function createLook(ports: LookPorts) {
	return async (query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal): Promise<Look> => {
		if (!isOfPhrases(query.query)) return look([]);
		const phrases = phrasesIn(query.query);
		const exact = await look(phrases);
		return exact.candidates.length > 0 ? exact : { ...(await look([])), notices: [noneHas(phrases)] };

		async function look(wanted: readonly string[]): Promise<Look> {
			const run = await runLegs(query, optionsOf(query, wanted, ports), { ...ports, entities }, signal);
			const fused = rankChosen(run, query, ports.store);
			const matching = matchingRows(run, sizesOf(ports.store).passages);
			const found = await toCandidates(fused, run, matching);
			signal.throwIfAborted();
			const exact = await withPhrases(found, wanted);
			const ranked = query.index === "descriptor" ? exact : rankByDocument(exact, lengthsOf(ports.store));
			const { threshold = 0 } = query;
			const candidates = ranked.filter(({ score }) => score >= threshold);
			return {
				run,
				candidates,
				areWordsTelling: run.text.every(({ row }) => matching.has(row)),
				// Without vectors, passages that match in other words are not recognized.
				isMatched: matching.size > 0 || candidates.length === 0 || !run.vector,
				missed: fused.length - found.length,
				notices: [],
			};
		}
	};

	async function toCandidates(
		fused: readonly Fused[],
		{ via }: LegRun,
		matching: ReadonlySet<number>,
	): Promise<Candidate[]> {
		const heads = await ports.store.headsOf(fused.map(({ row }) => row));
		return fused.flatMap((entry) => {
			const { row } = entry;
			const head = heads.get(row);
			if (!head) return [];
			const { id, uri, resource } = head;
			const iri = resource?.startsWith("_:") ? undefined : resource;
			const isText = resource === undefined;
			return { ...entry, id, uri, iri, way: via.get(row), isText, isMatch: matching.has(row) };
		});
	}

	async function withPhrases(found: readonly Candidate[], phrases: readonly string[]) {
		if (phrases.length === 0) return found;
		const passages = await ports.store.read(found.map(({ row }) => row));
		const rows = new Set(rowsWithPhrases(passages, phrases));
		return found.filter(({ row }) => rows.has(row));
	}
}

const sizesRead = rememberFor((documents: Documents, _moment: object) => {
	const lengths = Array.from(documents.entries(), ({ passages }) => passages);
	return { median: medianLength(lengths), passages: lengths.reduce((sum, length) => sum + length, 0) };
});

function sizesOf(store: DocumentReads) {
	return sizesRead(store.documents(), store.moment());
}

export function passagesIn(store: DocumentReads): number {
	return sizesOf(store).passages;
}

function lengthsOf(store: DocumentReads): Lengths {
	const documents = store.documents();
	return { median: sizesOf(store).median, of: (uri) => documents.entry(uri)?.passages ?? 1 };
}

function noneHas(phrases: readonly string[]): string {
	const quoted = phrases.map((phrase) => `“${phrase}”`).join(" and ");
	return `Nothing contains ${quoted} word for word, so the search ignored the quotation marks.`;
}

function optionsOf(query: SearchQuery, phrases: readonly string[], ports: LookPorts): MatchOptions {
	return { ...filtersOf(query, ports), limit: CANDIDATES, ...(phrases.length > 0 && { phrases }) };
}

export function filtersOf(
	{ types, sources }: SearchQuery,
	ports: LookPorts,
): Pick<MatchOptions, "types" | "uris"> {
	return {
		...(types?.length && { types }),
		...(sources?.length && { uris: urisUnder(sources, ports) }),
	};
}

function urisUnder(sources: readonly string[], { store, pathOf }: LookPorts): string[] {
	const prefixes = sources
		.map((source) => source.replace(/^(?:\.?\/)+/, ""))
		.flatMap((source) => [source, readPath(source)]);
	return [...store.documents().keys()].filter((uri) => {
		const path = pathOf(uri);
		return prefixes.some((prefix) => path.startsWith(prefix));
	});
}

function rankChosen(run: LegRun, { index }: SearchQuery, store: PassageReads): readonly Fused[] {
	if (index === "descriptor") return rankDocuments(run.descriptor ?? []);
	const { vector, scale = STATIC_SCALE } = run;
	return vector ? rankByLikeness(fuse(run), store, scale) : fuse(run);
}

/** Minimum of share of the query's words + `MEANING` × cosine for a match. See docs/experiments.md. */
const LEAST = 0.35;
/** Added to `LEAST` for each factor of ten in the number of passages. */
const MORE_FOR_TENFOLD = 0.1;
const MEANING = 1.5;

/** Rows that match by words and meaning, by the graph or by a description. All rows if words have no weights. */
function matchingRows(
	{
		text,
		quoted = new Set(),
		vector = [],
		cosines,
		scale = STATIC_SCALE,
		entity = [],
		descriptor = [],
	}: LegResults,
	passages: number,
): ReadonlySet<number> {
	const isMatch = text.some(({ share }) => share === undefined) ? () => true : createFloor(passages, scale);
	const near = new Map(vector.map(({ row, score }) => [row, score]));
	const matching = new Set<number>(quoted);
	for (const { row, share = 0 } of text)
		if (isMatch(share, near.get(row) ?? cosines?.get(row))) matching.add(row);
	for (const [row, cosine] of near) if (isMatch(0, cosine)) matching.add(row);
	for (const { row } of entity) matching.add(row);
	for (const row of descriptor.flatMap(({ rows }) => rows)) matching.add(row);
	return matching;
}

/** Returns a test of whether words and meaning suffice for a match; without a cosine, only words count. */
function createFloor(passages: number, { asBuiltIn }: VectorScale) {
	const least = LEAST + MORE_FOR_TENFOLD * Math.log10(Math.max(1, passages));
	return (share: number, cosine: number | undefined) =>
		cosine === undefined ? share >= LEAST_SHARE : share + MEANING * asBuiltIn(cosine) >= least;
}

interface Likeness {
	/** Number of best passages that form the standard of comparison. */
	readonly trusted: number;
	readonly weight: number;
}

/** Values were chosen by experiments: see docs/eval.md. */
export const LIKENESS: Likeness = { trusted: 2, weight: 1 / 6 };

/** Pseudo relevance feedback on the vectors of the results (Rocchio, 1971; Li et al., 2021), without a second search. */
export function rankByLikeness(
	fused: readonly Fused[],
	store: Pick<PassageReads, "centreOf" | "cosines">,
	{ read }: VectorScale = STATIC_SCALE,
	{ trusted, weight } = LIKENESS,
): readonly Fused[] {
	const centre = store.centreOf(fused.slice(0, trusted).map(({ row }) => row));
	const cosines = store.cosines(
		centre,
		fused.map(({ row }) => row),
	);
	if (cosines.size === 0) return fused;
	// A passage without a vector counts as the farthest one.
	const farthest = Math.min(...cosines.values());
	return fused
		.map((entry) => {
			const likeness = Math.max(0, read(cosines.get(entry.row) ?? farthest));
			return { ...entry, score: (1 - weight) * entry.score + weight * likeness };
		})
		.sort((a, b) => b.score - a.score);
}
