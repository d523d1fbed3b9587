import { readPath } from "../core/knowledge/citation.ts";
import type { Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import type { PlaceOf } from "../core/knowledge/place.ts";
import type { DocumentReads, MatchOptions, PassageReads, StoredPassage } from "../store/store.ts";
import type { GraphPath } from "./entities/graphPath.ts";
import type { EntityLeg } from "./entityLeg.ts";
import type { Fused } from "./fuse.ts";
import type { LegPorts, LegRun } from "./legs.ts";
import { hasPhrases, phrasesIn } from "./phrases.ts";
import { rankChosen, runChosenLegs } from "./searchChoice.ts";

/** Passages that every leg hands over. */
export const CANDIDATES = 100;

/** Passages that are read for one hit: some say the same, or stand in the same document as better ones. */
const READ_PER_HIT = 3;

export const DEFAULT_LIMIT = 10;

export interface LookPorts extends LegPorts {
	readonly store: PassageReads & DocumentReads;
	/** The path that people see for a URI. */
	readonly pathOf: (uri: string) => string;
	/** Where lines stand in a file that is no text; absent where all are texts. */
	readonly placeOf?: PlaceOf;
}

/** A passage that may become a hit. */
export interface Candidate {
	readonly hit: Omit<Hit, "path" | "via"> & { readonly way?: GraphPath };
	/** Whether it is running text, not what verbalizes a resource. */
	readonly isText: boolean;
}

function toCandidate(
	passage: StoredPassage | undefined,
	{ row, score, why }: Fused,
	{ via }: LegRun,
): Candidate[] {
	if (!passage) return [];
	const { resource, ...rest } = passage;
	const iri = resource?.startsWith("_:") ? undefined : resource;
	const way = via.get(row);
	const hit = { ...rest, score, why, ...(iri !== undefined && { iri }), ...(way && { way }) };
	return [{ hit, isText: resource === undefined }];
}

/** What the legs found, and the best of it. */
export interface Look {
	readonly run: LegRun;
	/** Best first. */
	readonly candidates: readonly Candidate[];
	/** How many passages match. */
	readonly matching: number;
	/** How many were replaced between finding and reading. */
	readonly missed: number;
	readonly notices: readonly string[];
}

/** Looks for passages: those that have what is quoted word for word, and then those that answer without it. */
export function createLook(ports: LookPorts) {
	return async (query: SearchQuery, entities: EntityLeg | undefined, signal: AbortSignal): Promise<Look> => {
		const phrases = phrasesIn(query.query);
		const free = await look([]);
		return phrases.length === 0 ? free : exactFirst(await look(phrases), free, phrases);

		async function look(wanted: readonly string[]): Promise<Look> {
			const run = await runChosenLegs(query, optionsOf(query, wanted, ports), { ...ports, entities }, signal);
			const fused = rankChosen(run, query, ports.store);
			const most = READ_PER_HIT * (query.limit ?? DEFAULT_LIMIT);
			const best = wanted.length > 0 ? fused : fused.slice(0, most);
			const passages = await ports.store.read(best.map(({ row }) => row));
			signal.throwIfAborted();
			const found = best.flatMap((entry) => toCandidate(passages.get(entry.row), entry, run));
			const candidates = found.filter(({ hit }) => hasPhrases(`${hit.title}\n${hit.text}`, wanted));
			const matching = fused.length - (best.length - candidates.length);
			return { run, candidates, matching, missed: best.length - found.length, notices: [] };
		}
	};
}

/** Scores stay between 0 and 1: those of exact matches are in the upper half. */
function exactFirst(exact: Look, free: Look, phrases: readonly string[]): Look {
	const quoted = phrases.map((phrase) => `“${phrase}”`).join(" and ");
	const found = exact.candidates.length;
	if (found === 0)
		return { ...free, notices: [`Nothing has ${quoted} word for word: searched without the marks.`] };
	const known = new Set(exact.candidates.map(({ hit }) => hit.id));
	const others = free.candidates.filter(({ hit }) => !known.has(hit.id));
	const passages = found === 1 ? "1 passage has" : `${found} passages have`;
	return {
		...free,
		candidates: [
			...exact.candidates.map((candidate) => rescored(candidate, (score) => (1 + score) / 2)),
			...others.map((candidate) => rescored(candidate, (score) => score / 2)),
		],
		matching: Math.max(free.matching, found),
		missed: exact.missed + free.missed,
		notices: others.length > 0 ? [`${passages} ${quoted} word for word; what follows them has not.`] : [],
	};
}

function rescored({ hit, ...rest }: Candidate, change: (score: number) => number): Candidate {
	return { ...rest, hit: { ...hit, score: change(hit.score) } };
}

function optionsOf(
	{ types, sources }: SearchQuery,
	phrases: readonly string[],
	ports: LookPorts,
): MatchOptions {
	return {
		limit: CANDIDATES,
		...(phrases.length > 0 && { phrases }),
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
