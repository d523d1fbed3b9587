import { memoize } from "../base/jobs/lazily.ts";
import { heightOf, MOST_LINES, type PlaceOf } from "../core/knowledge/citation.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import type { ReadCandidate } from "./candidate.ts";
import { type Gathered, isBare } from "./gatherThings.ts";

export interface Chosen {
	readonly hits: readonly ReadCandidate[];
	/** Ids of the hits about resources that the query names. */
	readonly named: ReadonlySet<string>;
	/** Number of passages in the hits, each of which may join adjacent passages. */
	readonly passages: number;
}

interface ChooseOptions {
	readonly limit: number;
	/** For each name in the query, the IRIs of resources with this name. The hits include the best of these resources. */
	readonly named: readonly (readonly string[])[];
	readonly placeOf?: PlaceOf;
}

/** Chooses `limit` hits, each of which may join adjacent passages; `undefined` if more candidates must be read. */
export function choose(
	{ read, settled, isAll }: Gathered,
	{ limit, named, placeOf }: ChooseOptions,
): Chosen | undefined {
	const best = read.slice(0, settled);
	const place = (hit: ReadCandidate) => (placeOf ? placed(hit, placeOf) : hit);
	const repeats = createRepetitions();
	for (let count = limit; ; ) {
		const { hits: chosen, isFull } = chooseHits(best, count, repeats);
		if (!isFull && !isAll) return undefined;
		const hits = joinNeighbours(chosen.map(place), ({ isText }) => isText);
		if (hits.length >= limit || chosen.length < count)
			return { ...withNamed(hits, namedIn(read, named).map(place)), passages: chosen.length };
		count += limit - hits.length;
	}
}

function placed(hit: ReadCandidate, placeOf: PlaceOf): ReadCandidate {
	const others = hit.others?.map((other) => ({ ...other, lines: placeOf(other.uri, other.lines) }));
	return { ...hit, lines: placeOf(hit.uri, hit.lines), ...(others && { others }) };
}

function namedIn(all: readonly ReadCandidate[], names: readonly (readonly string[])[]): ReadCandidate[] {
	return names.flatMap((iris) => all.find((hit) => iris.includes(hit.iri ?? "") && !isBare(hit)) ?? []);
}

/** Replaces the last hits without a name by named hits that were not chosen. */
function withNamed(
	chosen: readonly ReadCandidate[],
	best: readonly ReadCandidate[],
): Omit<Chosen, "passages"> {
	const named = new Set(best.map(({ id }) => id));
	const missing = best.filter(
		({ id }, index) => !chosen.some((hit) => hit.id === id) && index < chosen.length,
	);
	const others = chosen.filter(({ id }) => !named.has(id));
	const given = new Set(missing.length > 0 ? others.slice(-missing.length) : []);
	const kept = chosen.filter((hit) => !given.has(hit));
	const added = new Set(missing.slice(0, given.size));
	return { hits: [...kept, ...added].sort((a, b) => b.score - a.score), named };
}

/**
 * Best hits without repetitions, at most half of them from one document unless there are too few others.
 * `isFull`: whether further hits could not change the choice.
 */
export function chooseHits<Found extends Pick<Hit, "uri" | "text" | "score">>(
	hits: readonly Found[],
	limit: number,
	repeats = createRepetitions(),
): { readonly hits: Found[]; readonly isFull: boolean } {
	const isLate = createLateness(Math.ceil(limit / 2), repeats);
	const [first, later] = [new Map<string, Found>(), new Map<string, Found>()];
	for (const hit of hits) {
		if (first.size >= limit) break;
		if (first.has(hit.text) || later.has(hit.text)) continue;
		(isLate(hit) ? later : first).set(hit.text, hit);
	}
	const chosen = [...first.values(), ...later.values()].slice(0, limit);
	return { hits: chosen.sort((a, b) => b.score - a.score), isFull: first.size >= limit };
}

/** Returns a test of whether a hit must wait: the document already has `most` better hits or one with this text. */
function createLateness(most: number, repeats: Repetitions) {
	const said = new Map<string, string[]>();
	return ({ uri, text }: Pick<Hit, "uri" | "text">): boolean => {
		const texts = said.get(uri) ?? [];
		if (texts.length >= most || texts.some((other) => repeats(text, other))) return true;
		said.set(uri, [...texts, text]);
		return false;
	};
}

/** Maximum number of characters of a joined hit. A single passage may be longer. */
const LONGEST = 4000;

type Place = Pick<ReadCandidate, "id" | "title" | "text" | "lines" | "content">;

/** Joins adjacent passages of running text into one hit, which keeps the position and score of the best passage. */
export function joinNeighbours<Found extends Place>(
	hits: readonly Found[],
	isText: (hit: Found) => boolean,
): Found[] {
	const free = new Map(hits.filter(isText).map((hit) => [hit.id, hit]));
	return hits.flatMap((hit) => {
		if (!isText(hit)) return [hit];
		if (!free.has(hit.id)) return [];
		const run = runAround(hit, free);
		for (const { id } of run) free.delete(id);
		return [join(hit, run)];
	});
}

/** The hit and as many adjacent hits on both sides as fit into `LONGEST`, in document order. */
function runAround<Found extends Place>(hit: Found, free: ReadonlyMap<string, Found>): Found[] {
	const run = [hit];
	let length = hit.text.length;
	const add = (next: Found | undefined, side: -1 | 1): boolean => {
		if (!next || next.lines.part !== hit.lines.part || length + next.text.length > LONGEST) return false;
		if (linesOf([...run, next]) > MOST_LINES) return false;
		length += next.text.length;
		run[side < 0 ? "unshift" : "push"](next);
		return true;
	};
	while (add(free.get(neighbourOf(run.at(-1), 1)), 1));
	while (add(free.get(neighbourOf(run[0], -1)), -1));
	return run;
}

function linesOf(run: readonly Place[]): number {
	const [starts, ends] = [run.map(({ lines }) => lines.start), run.map(({ lines }) => lines.end)];
	return heightOf({ start: Math.min(...starts), end: Math.max(...ends) });
}

/** The id of the adjacent passage. Relies on ids that end with the position of the passage in the document. */
function neighbourOf(hit: Place | undefined, side: -1 | 1): string {
	const id = hit?.id ?? "";
	const at = id.lastIndexOf("#") + 1;
	return `${id.slice(0, at)}${Number(id.slice(at)) + side}`;
}

function join<Found extends Place>(best: Found, run: readonly Found[]): Found {
	const [first] = run;
	if (!first || run.length === 1) return best;
	const texts = run.map(({ title, text }, index) =>
		title === (run[index - 1] ?? first).title ? text : `${title}\n${text}`,
	);
	const lines = {
		...first.lines,
		start: first.lines.start,
		end: Math.max(...run.map((hit) => hit.lines.end)),
	};
	const content = run.flatMap((hit) => hit.content);
	return { ...best, title: first.title, text: texts.join("\n\n"), lines, content };
}

/** Minimum share of the word pairs of the shorter text that are also in the other text. */
const CONTAINED = 0.6;

type Repetitions = (text: string, other: string) => boolean;

/** Containment of shingles (Broder, On the resemblance and containment of documents, 1997). Caches shingles. */
function createRepetitions(): Repetitions {
	const pairsOf = memoize(pairsIn);
	return (text, other) => overlapOf(pairsOf(text), pairsOf(other)) >= CONTAINED;
}

/** Constants of the hash FNV-1a. */
const EMPTY_WORD = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Factor for the hash of the first word of a pair, so that the order of the words matters. */
const FIRST_OF_PAIR = 0x2c1b3c6d;

/** Hashes of the pairs of adjacent words. Two texts of 1,000 pairs have a collision in 1 of 10,000 cases. */
function pairsIn(text: string): Set<number> {
	const pairs = new Set<number>();
	const folded = text.toLowerCase();
	let before: number | undefined;
	let word = EMPTY_WORD;
	for (let index = 0; index <= folded.length; index++) {
		const code = index < folded.length ? folded.charCodeAt(index) : 0;
		if (isOfWord(code)) word = Math.imul(word ^ code, PRIME);
		else if (word !== EMPTY_WORD) {
			if (before !== undefined) pairs.add((Math.imul(before, FIRST_OF_PAIR) ^ word) >> 1);
			before = word;
			word = EMPTY_WORD;
		}
	}
	return pairs;
}

/** Kinds of UTF-16 code units: 1 for letters and digits, 2 for others, 0 for unknown. */
const kinds = new Uint8Array(2 ** 16);

function isOfWord(code: number): boolean {
	if (kinds[code] === 0) kinds[code] = /[\p{L}\p{N}\p{Cs}]/u.test(String.fromCharCode(code)) ? 1 : 2;
	return kinds[code] === 1;
}

function overlapOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
	const [shorter, longer] = a.size < b.size ? [a, b] : [b, a];
	let shared = 0;
	for (const pair of shorter) if (longer.has(pair)) shared++;
	return shared / Math.max(1, shorter.size);
}
