import type { Embedder } from "../core/embedder.ts";
import type { Hit, SearchQuery, SearchResult } from "../core/knowledge.ts";
import type { MatchOptions, Store, StoredPassage } from "../store/store.ts";
import { chooseHits } from "./chooseHits.ts";
import { type Fused, fuse } from "./fuse.ts";
import { missingLegs, runLegs } from "./legs.ts";

/** Passages that every leg hands over. */
const CANDIDATES = 100;

/** Passages that are read for one hit: some say the same, or stand in the same document as better ones. */
const READ_PER_HIT = 3;

const DEFAULT_LIMIT = 10;

export interface RetrieverPorts {
	readonly store: Store;
	readonly embedder: Embedder | undefined;
	/** The path that people see for a URI. */
	readonly pathOf: (uri: string) => string;
}

export interface Retriever {
	search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
}

export function createRetriever(ports: RetrieverPorts): Retriever {
	const { store, pathOf } = ports;
	return {
		async search(query, signal) {
			const found = await find(query, signal);
			// A document that was replaced between finding and reading is there again, in its new state.
			const { hits, total } = found.missed > 0 ? await find(query, signal) : found;
			return { hits, total, truncated: total > hits.length, notices: missingLegs(ports) };
		},
	};

	async function find(query: SearchQuery, signal: AbortSignal) {
		const { limit = DEFAULT_LIMIT } = query;
		const fused = fuse(await runLegs(query.query, optionsOf(query), ports, signal));
		const best = fused.slice(0, READ_PER_HIT * limit);
		const passages = await store.read(best.map(({ row }) => row));
		signal.throwIfAborted();
		const hits = best.flatMap((entry) => {
			const passage = passages.get(entry.row);
			return passage ? [toHit(passage, entry)] : [];
		});
		const missed = best.length - hits.length;
		return { hits: chooseHits(hits, limit), total: fused.length - missed, missed };
	}

	function optionsOf({ types, sources }: SearchQuery): MatchOptions {
		return {
			limit: CANDIDATES,
			...(types?.length && { types }),
			...(sources?.length && { uris: urisUnder(sources) }),
		};
	}

	function urisUnder(sources: readonly string[]): string[] {
		const prefixes = sources.map((source) => source.replace(/^(?:\.?\/)+/, ""));
		return [...store.documents().keys()].filter((uri) => {
			const path = pathOf(uri);
			return prefixes.some((prefix) => path.startsWith(prefix));
		});
	}

	function toHit({ resource, ...passage }: StoredPassage, { score, why }: Fused): Hit {
		const iri = resource?.startsWith("_:") ? undefined : resource;
		return { ...passage, path: pathOf(passage.uri), ...(iri !== undefined && { iri }), score, why };
	}
}
