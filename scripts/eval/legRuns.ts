import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import { createEntityLeg } from "../../src/retrieve/entityLeg.ts";
import { runLegs } from "../../src/retrieve/legs.ts";
import { medianLength } from "../../src/retrieve/rankByDocument.ts";
import { STATIC_SCALE, type VectorScale } from "../../src/retrieve/vectorScale.ts";
import type { Match } from "../../src/search/match.ts";
import type { Collection } from "./collection.ts";
import { openCorpus, type Rewrite } from "./corpus.ts";
import { toDescriptors } from "./descriptor.ts";

/** A passage that a leg found. */
export interface Found {
	/** The passage's id, the same whatever was rewritten in it. */
	readonly id: string;
	readonly score: number;
	/** As in `Match`. */
	readonly isForeign?: true;
}

/** The document of a passage, how many passages it has, and whether this one is running text. */
interface FoundPlace {
	readonly uri: string;
	readonly length: number;
	readonly isText: boolean;
}

/** What every leg found for one query, each best first. */
export interface LegRuns {
	readonly text: readonly Found[];
	readonly vector: readonly Found[];
	readonly entity: readonly Found[];
	/** The cosines of what the vectors' leg left out, by passage. */
	readonly cosines: ReadonlyMap<string, number>;
	/** How the scores of the vectors were read. */
	readonly scale: VectorScale;
	/** The vectors of all passages that were found for any query. */
	readonly vectors: ReadonlyMap<string, Float32Array>;
	/** Where they stand. */
	readonly places: ReadonlyMap<string, FoundPlace>;
	/** Of all documents. */
	readonly medianLength: number;
	/** The same over descriptors in place of passages. */
	readonly descriptors: Pick<LegRuns, "text" | "vector">;
}

/** A collection with all that its legs found. */
export interface CollectionRun {
	readonly collection: Collection;
	readonly passages: number;
	/** In the order of the collection's queries. */
	readonly runs: readonly LegRuns[];
	/** The document of a passage. */
	documentOf(id: string): string;
}

/** As many as the extension takes from every leg. */
const CANDIDATES = 100;

/** Indexes a collection twice, with its passages and with their descriptors, and asks all its queries. */
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

/** Indexes a collection with other passages in the place of its own, and asks all its queries. */
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
	/** By passage; filled. */
	readonly documents: Map<string, string>;
	readonly rewrite?: Rewrite;
	/** Of questions, if the model has another for them. */
	readonly questions?: Embedder;
	/** The built-in model, beside another. */
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
