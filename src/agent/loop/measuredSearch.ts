import type { SearchQuery, SearchResult } from "../../core/knowledge/knowledge.ts";
import type { TurnRecorder } from "./turnRecorder.ts";

type Search<Query> = (query: Query, signal: AbortSignal) => Promise<SearchResult>;

export function measuredSearch<Query extends SearchQuery>(
	search: Search<Query>,
	recorder: TurnRecorder,
): Search<Query> {
	return (query, signal) =>
		recorder.measure({ kind: "retrieval", title: query.query }, signal, async ({ facts, tell }) => {
			tell(() => ({ input: query.query }));
			const found = await search(query, signal);
			facts["hits"] = found.hits.length;
			facts["matches"] = found.total;
			return found;
		});
}
