import { embedAll, type FoundSection } from "../answer/reading.ts";
import { languageOf } from "../base/language/detect.ts";
import { cosine } from "../base/words/relevance.ts";
import type { Citation, LineRange } from "../core/knowledge/citation.ts";
import type { Embedder, TextEmbedder } from "../core/knowledge/embedder.ts";
import type { Listing, SearchQuery } from "../core/knowledge/knowledge.ts";
import type { Match, TextMatches } from "../search/match.ts";
import { phrasesIn } from "../search/phrases.ts";
import type { MatchOptions, PassageReads } from "../store/port/store.ts";
import type { DescriptorLeg } from "./descriptorLeg.ts";
import type { GraphPath, ReachedNode } from "./entities/reachNodes.ts";
import type { LegResults } from "./fuse.ts";
import { STATIC_SCALE, transformerScale, unlearned, type VectorScale } from "./vectorScale.ts";

export interface LegPorts {
	readonly store: Pick<
		PassageReads,
		"matchText" | "matchVector" | "typicalCosine" | "cosines" | "stale" | "read"
	>;
	readonly embedder: Embedder | undefined;
	/** The built-in model; absent if it is turned off. */
	readonly words?: TextEmbedder;
	/** Absent if documents have no descriptions. */
	readonly descriptors?: DescriptorLeg;
}

/** Whether a section can answer a question that asks for a list, number or extreme but got no listing. */
export type CanTell = (section: FoundSection, index: number, all: readonly FoundSection[]) => boolean;

export interface EntityLeg {
	/** Reads the graph's current names in advance, so that the next question is answered faster. */
	refresh(): Promise<void>;
	/** The complete list or count that the question asks for; `undefined` if the question or the graph has none. */
	list(query: string, cite: (uri: string, lines: LineRange) => Citation): Promise<Listing | undefined>;
	/** Returns a function that tells whether a section can answer a query for which `list` found no listing. */
	canTell(query: string): CanTell;
	/** Passes named nodes and their neighbors to `use`, best first. Numbers of nodes are valid only while `use` runs. */
	reach<Result>(query: string, use: (reached: readonly ReachedNode[]) => Result): Promise<Result>;
	/** Finds passages about named resources, best first, with scores from 0 to 1. */
	find(
		query: string,
		options: MatchOptions,
	): Promise<{ readonly matches: readonly Match[] } & Pick<LegRun, "via" | "named">>;
}

export interface LegRun extends LegResults, Pick<TextMatches, "total" | "isAtLeast"> {
	/** Path through the graph from a name in the query, by row. */
	readonly via: ReadonlyMap<number, GraphPath>;
	readonly named: readonly (readonly string[])[];
}

/** Runs all legs of the chosen index concurrently. `entities` is `undefined` until the graph is read. */
export async function runLegs(
	asked: SearchQuery,
	options: MatchOptions,
	ports: LegPorts & { readonly entities: EntityLeg | undefined },
	signal: AbortSignal,
): Promise<LegRun> {
	const { store, embedder, entities, descriptors } = ports;
	const { query, index } = asked;
	const embedding = embedder?.embed([query], signal);
	const [{ matches, quoted, ...counted }, near, entity, documents] = await Promise.all([
		runTextLegs(asked, options, store),
		runVectorLeg(),
		runEntityLeg(),
		runDescriptorLeg(),
	]);
	const text = merged(matches, quoted);
	const byOthers = [...text, ...(entity?.matches ?? [])].map(({ row }) => row);
	const found = [...byOthers, ...(near?.matches ?? []).map(({ row }) => row)];
	const descriptor = documents && (await descriptors?.withRows(documents, found, options));
	signal.throwIfAborted();
	const overlooked = [...byOthers, ...(descriptor ?? []).flatMap(({ rows }) => rows)];
	return {
		...counted,
		text,
		quoted: new Set(quoted.map(({ row }) => row)),
		...(near && (await vectorsOf(query, { ...near, others: store.cosines(near.vector, overlooked) }, ports))),
		...(entity && { entity: entity.matches }),
		...(descriptor && { descriptor }),
		via: entity?.via ?? new Map(),
		named: entity?.named ?? [],
	};

	async function runVectorLeg() {
		const vector = await embedding;
		if (!vector || index === "descriptor" || store.stale()) return undefined;
		const matches = await store.matchVector(vector, options);
		const learned = embedder?.isStatic
			? STATIC_SCALE
			: transformerScale(await store.typicalCosine(vector), matches.length);
		return { vector, matches, scale: isUnlearned(query, embedder) ? unlearned(learned) : learned };
	}

	async function runEntityLeg() {
		return index === "descriptor" ? undefined : entities?.find(query, options);
	}

	async function runDescriptorLeg() {
		if (index === "content") return undefined;
		return descriptors?.find({ query, vector: store.stale() ? undefined : await embedding }, options);
	}
}

interface Near {
	readonly matches: readonly Match[];
	readonly others: ReadonlyMap<number, number>;
	readonly scale: VectorScale;
}

/** Scaled cosines. Cosines of a transformer are combined with cosines of the built-in model. */
async function vectorsOf(
	query: string,
	{ matches, others, scale }: Near,
	{ store, embedder, words }: LegPorts,
): Promise<Pick<LegRun, "scale" | "vector" | "cosines">> {
	const vector = matches.map((match) => ({ ...match, score: scale.read(match.score) }));
	const cosines = new Map(Array.from(others, ([row, cosine]) => [row, scale.read(cosine)]));
	if (!words || embedder?.isStatic) return { scale, vector, cosines };
	return { scale, ...(await withStaticCosines(query, { vector, cosines }, { store, words })) };
}

/** Searches by words. Quotations are searched separately, since many passages may have their words elsewhere. */
async function runTextLegs({ query, index }: SearchQuery, options: MatchOptions, store: LegPorts["store"]) {
	if (index === "descriptor") return { matches: [], total: 0, quoted: [] };
	const phrases = options.phrases ? [] : phrasesIn(query);
	const [found, quoted] = await Promise.all([
		store.matchText(query, options),
		phrases.length === 0 ? undefined : store.matchText(query, { ...options, phrases }),
	]);
	return { ...found, quoted: quoted?.matches ?? [] };
}

function merged(matches: readonly Match[], more: readonly Match[]): readonly Match[] {
	const known = new Set(matches.map(({ row }) => row));
	const missing = more.filter(({ row }) => !known.has(row));
	return missing.length === 0 ? matches : [...matches, ...missing].sort((a, b) => b.score - a.score);
}

function isUnlearned(query: string, embedder: Embedder | undefined): boolean {
	const language = languageOf(query);
	return language !== undefined && embedder?.languages?.has(language) === false;
}

export function missingLegs({ store, embedder }: LegPorts): string[] {
	if (store.stale()) return [`Only full text was searched. ${store.stale()}`];
	return embedder ? [] : ["Only full text was searched: there is no embedding model."];
}

/** Weight of the built-in model, which separates words that a transformer blurs. See docs/experiments.md. */
const SHARE = 1 / 13;

/** Results of a transformer, best first, and cosines by row of passages that other legs found. */
interface Cosines {
	readonly vector: readonly Match[];
	readonly cosines: ReadonlyMap<number, number>;
}

/** Combines cosines of a transformer with cosines of the built-in model, whose vectors are computed on demand. */
export async function withStaticCosines(
	query: string,
	{ vector, cosines }: Cosines,
	ports: { readonly store: Pick<PassageReads, "read">; readonly words: TextEmbedder },
): Promise<Cosines> {
	const near = await staticCosines(query, [...vector.map(({ row }) => row), ...cosines.keys()], ports);
	const unit = (vector[0]?.score ?? 0) / Math.max(...near.values());
	const join = (row: number, cosine: number) => {
		const own = near.get(row);
		return own === undefined ? cosine : (1 - SHARE) * cosine + SHARE * unit * own;
	};
	const joined = vector.map((match) => ({ ...match, score: join(match.row, match.score) }));
	return {
		vector: joined.sort((a, b) => b.score - a.score),
		cosines: new Map(Array.from(cosines, ([row, cosine]) => [row, join(row, cosine)])),
	};
}

async function staticCosines(
	query: string,
	rows: readonly number[],
	{ store, words }: Parameters<typeof withStaticCosines>[2],
): Promise<Map<number, number>> {
	const passages = [...(await store.read(rows))];
	const texts = passages.map(([, { title, text }]) => `${title}\n${text}`);
	const vectorAt = await embedAll([query, ...texts], words);
	const cosines = passages.map(([row], index) => [row, cosine(vectorAt(0), vectorAt(index + 1))] as const);
	return new Map(cosines.filter(([, cosine]) => cosine > 0));
}
