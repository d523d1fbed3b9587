import type { Embedder } from "../core/embedder.ts";
import type { Hit, SearchQuery, SearchResult } from "../core/knowledge.ts";
import type { Match, MatchOptions, Store, StoredPassage } from "../store/store.ts";
import { type Fused, fuse } from "./fuse.ts";
import { missingLegs, runLegs } from "./legs.ts";

/** Passages that every leg hands over. */
const CANDIDATES = 200;

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
		async search({ query, limit = DEFAULT_LIMIT, types, sources }, signal) {
			const options: MatchOptions = {
				limit: CANDIDATES,
				...(types?.length && { types }),
				...(sources?.length && { uris: urisUnder(sources) }),
			};
			const fused = fuse(await runLegs(query, options, ports, signal));
			const hits = await readHits(spread(fused, limit), limit);
			signal.throwIfAborted();
			const total = fused.length;
			return { hits, total, truncated: total > hits.length, notices: missingLegs(ports) };
		},
	};

	function urisUnder(sources: readonly string[]): string[] {
		const prefixes = sources.map((source) => source.replace(/^(?:\.?\/)+/, ""));
		return [...store.documents().keys()].filter((uri) => {
			const path = pathOf(uri);
			return prefixes.some((prefix) => path.startsWith(prefix));
		});
	}

	/** Reads as many as are needed to fill the limit when a text counts once. */
	async function readHits(fused: readonly Fused<Match>[], limit: number): Promise<Hit[]> {
		const hits = new Map<string, Hit>();
		for (let start = 0; start < fused.length && hits.size < limit; start += limit)
			for (const hit of await readPage(fused.slice(start, start + limit)))
				if (!hits.has(hit.text)) hits.set(hit.text, hit);
		return [...hits.values()].slice(0, limit);
	}

	async function readPage(page: readonly Fused<Match>[]): Promise<Hit[]> {
		const byId = new Map(page.map((entry) => [entry.found.id, entry]));
		const passages = await store.read(page.map(({ found }) => found));
		return passages.flatMap((passage) => {
			const entry = byId.get(passage.id);
			return entry ? [toHit(passage, entry)] : [];
		});
	}

	function toHit(passage: StoredPassage, { score, why }: Fused<Match>): Hit {
		const { id, uri, lines, title, text, resource } = passage;
		const iri = resource?.startsWith("_:") ? undefined : resource;
		return { id, uri, path: pathOf(uri), lines, title, text, ...(iri !== undefined && { iri }), score, why };
	}
}

/** One document fills at most half of the limit, unless the others have nothing more to say. */
function spread(fused: readonly Fused<Match>[], limit: number): Fused<Match>[] {
	const most = Math.ceil(limit / 2);
	const counts = new Map<string, number>();
	const [first, later]: [Fused<Match>[], Fused<Match>[]] = [[], []];
	for (const entry of fused) {
		const count = (counts.get(entry.found.uri) ?? 0) + 1;
		counts.set(entry.found.uri, count);
		(count > most ? later : first).push(entry);
	}
	return [...first, ...later];
}
