import type { Candidate } from "./candidate.ts";
import { phrasesIn } from "./phrases.ts";

type Found = Pick<Candidate["hit"], "id" | "iri" | "uri" | "lines" | "score">;

/** Clauses, and words that join two subjects; none of them is a word of another kind in a language that is searched. */
const BETWEEN =
	/[,;.?!:]+(?:\s+|$)|[、，；。？！]|\s+(?:and|und|et|y|и|och|oraz|và|as well as|versus|vs\.?)\s+/iu;

/** Parts of a query that are looked for by themselves. */
const MOST_PARTS = 6;

/** Words that a part must have to say what it asks for. */
const FEWEST_TERMS = 2;

/** Hits of a part that are added to those of the whole. */
const HITS_PER_PART = 2;

/** The parts of a query that asks for several things at once; none of one that asks for one. */
export function subjectsIn(query: string, termsOf: (text: string) => readonly string[]): string[] {
	if (phrasesIn(query).length > 0) return [];
	const parts = query
		.split(BETWEEN)
		.map((part) => part.trim())
		.filter((part) => new Set(termsOf(part)).size >= FEWEST_TERMS);
	return parts.length < 2 ? [] : parts.slice(0, MOST_PARTS);
}

/**
 * The best hits of the whole query and what it names, and after them the best of each part that is not among them. A part
 * gets as many as the whole, but no more than it needs.
 */
export function withParts<Hit extends Found>(
	whole: { readonly hits: readonly Hit[]; readonly named: ReadonlySet<string> },
	parts: readonly (readonly Hit[])[],
	limit: number,
): Hit[] {
	if (parts.length === 0) return whole.hits.slice(0, limit);
	const most = Math.max(Math.ceil(limit / (parts.length + 1)), limit - HITS_PER_PART * parts.length);
	const kept = whole.hits.slice(0, limit).filter(({ id }, rank) => rank < most || whole.named.has(id));
	const least = kept.at(-1)?.score ?? 1;
	const added = inTurns(parts, kept, limit).slice(kept.length);
	const scored = added.map((hit) => ({ ...hit, score: hit.score * least })).sort((a, b) => b.score - a.score);
	return [...kept, ...scored];
}

/** Hits of a part, those first that answer the whole query as well: a part alone has lost what the others say. */
export function inLightOf<Hit extends Found>(
	whole: ReadonlyMap<Hit["id"], number>,
	hits: readonly Hit[],
): Hit[] {
	const worth = ({ id, score }: Hit) => score + (whole.get(id) ?? 0);
	return [...hits].sort((a, b) => worth(b) - worth(a));
}

/** The first hits of each list, then the second ones and so on, until there are enough; each place once. */
export function inTurns<Hit extends Found>(
	lists: readonly (readonly Hit[])[],
	before: readonly Hit[],
	limit: number,
): Hit[] {
	const taken = [...before];
	const longest = Math.max(0, ...lists.map(({ length }) => length));
	for (let rank = 0; rank < longest; rank++)
		for (const list of lists) {
			const hit = list[rank];
			if (taken.length >= limit) return taken;
			if (hit && !taken.some((other) => isSame(hit, other))) taken.push(hit);
		}
	return taken;
}

function isSame(hit: Found, other: Found): boolean {
	if (hit.id === other.id || (hit.iri !== undefined && hit.iri === other.iri)) return true;
	return hit.uri === other.uri && overlaps(hit.lines, other.lines);
}

function overlaps(a: Found["lines"], b: Found["lines"]): boolean {
	return a.part === b.part && a.start <= b.end && b.start <= a.end && !a.columns;
}
