import type { PlaceOf } from "../core/knowledge/citation.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import type { ReadCandidate } from "./candidate.ts";
import { type Gathered, isBare } from "./gatherThings.ts";
import { joinNeighbours } from "./joinNeighbours.ts";
import { createRepetitions, type Repetitions } from "./repetitions.ts";

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
