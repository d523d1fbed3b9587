import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import { runLegs } from "../../src/retrieve/legs.ts";
import { medianLength } from "../../src/retrieve/rankByDocument.ts";
import { STATIC_SCALE, type VectorScale } from "../../src/retrieve/vectorScale.ts";
import type { Match } from "../../src/search/match.ts";
import type { Collection } from "./collection.ts";
import { openCorpus, type Rewrite } from "./corpus.ts";
import { toDescriptors } from "./descriptor.ts";

/** A passage found by a leg. */
export interface Found {
	/** The passage's id, unchanged by rewriting. */
	readonly id: string;
	readonly score: number;
	/** See `Match`. */
	readonly isForeign?: true;
}

/** The document of a passage, its number of passages, and whether this passage is running text. */
interface FoundPlace {
	readonly uri: string;
	readonly length: number;
	readonly isText: boolean;
}

/** The results of every leg for one query, best first. */
export interface LegRuns {
	readonly text: readonly Found[];
	readonly vector: readonly Found[];
	readonly entity: readonly Found[];
	/** The cosines of passages that the vector leg did not return. */
	readonly cosines: ReadonlyMap<string, number>;
	/** The scale of the vector scores. */
	readonly scale: VectorScale;
	/** The vectors of all passages found for any query. */
	readonly vectors: ReadonlyMap<string, Float32Array>;
	/** Documents of the passages. */
	readonly places: ReadonlyMap<string, FoundPlace>;
	/** Median length of all documents. */
	readonly medianLength: number;
	/** Results over descriptors instead of passages. */
	readonly descriptors: Pick<LegRuns, "text" | "vector">;
}

/** A collection with the results of all legs. */
export interface CollectionRun {
	readonly collection: Collection;
	readonly passages: number;
	/** Results in the order of the collection's queries. */
	readonly runs: readonly LegRuns[];
	/** Returns the document of a passage. */
	documentOf(id: string): string;
}

/** Number of results per leg, as in the extension. */
const CANDIDATES = 100;

/** Indexes a collection by passages and again by descriptors, and asks all its queries. */
export async function runCollection(collection: Collection, embedder: Embedder): Promise<CollectionRun> {
	const documents = new Map<string, string>();
	const whole = await askAll(collection, embedder, { documents });
	const described = await askAll(collection, embedder, { documents, rewrite: toDescriptors });
	const nothing = { text: [], vector: [] };
	return {
		collection,
		passages: whole.passages,
		runs: whole.runs.map((run, index) => ({ ...run, descriptors: described.runs[index] ?? nothing })),
		documentOf: (id) => documents.get(id) ?? id,
	};
}

/** Indexes a collection with rewritten passages, and asks all its queries. */
export async function runPassages(
	collection: Collection,
	embedder: Embedder,
	options: Omit<AskOptions, "documents">,
): Promise<CollectionRun> {
	const documents = new Map<string, string>();
	const { passages, runs } = await askAll(collection, embedder, { documents, ...options });
	return {
		...{ collection, passages, documentOf: (id) => documents.get(id) ?? id },
		runs: runs.map((run) => ({ ...run, descriptors: { text: [], vector: [] } })),
	};
}

interface AskOptions {
	/** Receives the document of each passage. */
	readonly documents: Map<string, string>;
	readonly rewrite?: Rewrite;
	/** The embedder of questions, if the model has a separate one. */
	readonly questions?: Embedder;
	/** The built-in model, if another one is measured. */
	readonly words?: Embedder;
}

async function askAll(
	{ files, queries }: Collection,
	embedder: Embedder,
	{ documents, rewrite, questions = embedder, words = embedder.isStatic ? embedder : undefined }: AskOptions,
) {
	const corpus = await openCorpus(files, embedder, rewrite);
	const { store, graph } = corpus;
	const entities = createEntityLeg({ graph, store, words });
	const ids = new Map<number, string>();
	const vectors = new Map<string, Float32Array>();
	const places = new Map<string, FoundPlace>();
	const never = new AbortController().signal;
	const lengths = [...store.documents().records()].map(({ passages }) => passages);
	const documentLength = medianLength(lengths);
	const runs: Omit<LegRuns, "descriptors">[] = [];
	for (const { text: query } of queries) {
		const legs = await runLegs(
			{ query },
			{ limit: CANDIDATES },
			{ store, embedder: questions, ...(words && { words }), entities },
			never,
		);
		const { text, vector = [], entity = [], cosines = [], scale = STATIC_SCALE } = legs;
		await learnIds([...text, ...vector, ...entity]);
		const name = (matches: readonly Match[]) =>
			matches.map(({ row, ...match }) => ({ id: ids.get(row) ?? "", ...match }));
		runs.push({
			...{ text: name(text), vector: name(vector), entity: name(entity) },
			cosines: new Map(Array.from(cosines, ([row, cosine]) => [ids.get(row) ?? "", cosine])),
			...{ scale, vectors, places, medianLength: documentLength },
		});
	}
	const passages = lengths.reduce((sum, length) => sum + length, 0);
	await corpus.close();
	return { runs, passages };

	async function learnIds(matches: readonly Match[]): Promise<void> {
		const rows = new Set(matches.map(({ row }) => row).filter((row) => !ids.has(row)));
		for (const [row, { id, uri, resource }] of await store.read([...rows])) {
			const length = store.documents().get(uri)?.passages ?? 1;
			places.set(id, { uri, length, isText: resource === undefined });
			ids.set(row, id);
			documents.set(id, corpus.idOf(uri));
			vectors.set(id, store.centreOf([row]));
		}
	}
}
