import type { PlaceOf } from "../core/knowledge/place.ts";
import type { Candidate } from "./candidate.ts";
import { chooseHits } from "./chooseHits.ts";
import { isBare } from "./gatherThings.ts";
import { joinNeighbours } from "./joinNeighbours.ts";
import { createRepetitions } from "./repetitions.ts";

/** The hits of one query. */
export interface Chosen {
	readonly hits: readonly Candidate["hit"][];
	/** The ids of those that are about what the query names. */
	readonly named: ReadonlySet<string>;
	/** How many passages are in them. */
	readonly passages: number;
}

/**
 * As many hits as are wanted, and how many passages are in them: joining neighbours makes room for others.
 * `named`: for each name in the query the IRIs that it may mean; one of each is among the hits, unless it is only named.
 */
export function choose(
	candidates: readonly Candidate[],
	limit: number,
	{ named, placeOf }: { readonly named: readonly (readonly string[])[]; readonly placeOf?: PlaceOf },
): Chosen {
	const all = candidates.map(({ hit }) => hit);
	const place = (hit: Candidate["hit"]) => (placeOf ? placed(hit, placeOf) : hit);
	const texts = new Set(candidates.filter(({ isText }) => isText).map(({ hit }) => hit.id));
	const repeats = createRepetitions();
	for (let count = limit; ; ) {
		const chosen = chooseHits(all, count, repeats).map(place);
		const hits = joinNeighbours(chosen, ({ id }) => texts.has(id));
		if (hits.length >= limit || chosen.length < count)
			return { ...withNamed(hits, namedIn(all, named).map(place)), passages: chosen.length };
		count += limit - hits.length;
	}
}

function placed(hit: Candidate["hit"], placeOf: PlaceOf): Candidate["hit"] {
	const others = hit.others?.map((other) => ({ ...other, lines: placeOf(other.uri, other.lines) }));
	return { ...hit, lines: placeOf(hit.uri, hit.lines), ...(others && { others }) };
}

/** For each name the best that is about it and tells more than that. */
function namedIn(
	all: readonly Candidate["hit"][],
	names: readonly (readonly string[])[],
): Candidate["hit"][] {
	return names.flatMap((iris) => all.find((hit) => iris.includes(hit.iri ?? "") && !isBare(hit)) ?? []);
}

/** What is named and was not chosen takes the places of the last hits that are not named. */
function withNamed(
	chosen: readonly Candidate["hit"][],
	best: readonly Candidate["hit"][],
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
