import type { PlaceOf } from "../core/knowledge/place.ts";
import type { Candidate } from "./candidate.ts";
import { chooseHits } from "./chooseHits.ts";
import { joinNeighbours } from "./joinNeighbours.ts";
import { createRepetitions } from "./repetitions.ts";

interface Chosen {
	readonly hits: readonly Candidate["hit"][];
	/** How many passages are in them. */
	readonly passages: number;
}

/**
 * As many hits as are wanted, and how many passages are in them: joining neighbours makes room for others.
 * `named`: for each name in the query the IRIs that it may mean; one of each is among the hits.
 */
export function choose(
	candidates: readonly Candidate[],
	limit: number,
	{ named, placeOf }: { readonly named: readonly (readonly string[])[]; readonly placeOf?: PlaceOf },
): Chosen {
	const all = candidates.map(({ hit }) => (placeOf ? placed(hit, placeOf) : hit));
	const texts = new Set(candidates.filter(({ isText }) => isText).map(({ hit }) => hit.id));
	const repeats = createRepetitions();
	for (let count = limit; ; ) {
		const chosen = chooseHits(all, count, repeats);
		const hits = joinNeighbours(chosen, ({ id }) => texts.has(id));
		if (hits.length >= limit || chosen.length < count)
			return { hits: withNamed(hits, all, named), passages: chosen.length };
		count += limit - hits.length;
	}
}

function placed(hit: Candidate["hit"], placeOf: PlaceOf): Candidate["hit"] {
	const others = hit.others?.map((other) => ({ ...other, lines: placeOf(other.uri, other.lines) }));
	return { ...hit, lines: placeOf(hit.uri, hit.lines), ...(others && { others }) };
}

/** What is named and was not chosen takes the places of the last hits that are not named. */
function withNamed(
	chosen: readonly Candidate["hit"][],
	all: readonly Candidate["hit"][],
	named: readonly (readonly string[])[],
): readonly Candidate["hit"][] {
	const isNamed = ({ iri = "" }: Candidate["hit"]) => named.some((iris) => iris.includes(iri));
	const missing = named.filter((iris) => !chosen.some(({ iri = "" }) => iris.includes(iri)));
	const added = missing.flatMap((iris) => all.find(({ iri = "" }) => iris.includes(iri)) ?? []);
	const given = chosen.filter((hit) => !isNamed(hit)).slice(-added.length);
	if (added.length === 0) return chosen;
	const kept = chosen.filter((hit) => !given.includes(hit));
	const room = chosen.length - kept.length;
	return [...kept, ...new Set(added.slice(0, room))].sort((a, b) => b.score - a.score);
}
