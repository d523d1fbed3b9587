import type { AgentRequest } from "../../core/agent/agentEvent.ts";
import type { SearchQuery, SearchResult } from "../../core/knowledge/knowledge.ts";
import type { Memory } from "../../core/session/memory.ts";
import { REMEMBER } from "../../core/session/trace.ts";
import type { AgentPorts } from "../ports.ts";
import type { TurnRecorder } from "./turnTracer.ts";

const FIRST_PASSAGES = 8;

/** Searches the sources that the user named or, if they have no hit, everywhere. */
export async function searchFirst(
	{ search }: { readonly search: AgentPorts["search"] },
	{ question, sources = [] }: AgentRequest,
	signal: AbortSignal,
): Promise<SearchResult> {
	const query = { query: question, limit: FIRST_PASSAGES };
	if (sources.length === 0) return search(query, signal);
	const there = await search({ ...query, sources }, signal);
	if (there.hits.length > 0) return there;
	const found = await search(query, signal);
	const notice = `Nothing in ${sources.join(", ")} answers this, so everything was searched.`;
	return { ...found, notices: [...found.notices, notice] };
}

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

export function measuredMemory(memory: Memory, recorder: TurnRecorder): Memory {
	const remember: Memory["remember"] = (fact, signal) =>
		recorder.measure({ kind: "memory", title: REMEMBER }, signal, async ({ facts, tell }) => {
			tell(() => ({ output: JSON.stringify([{ content: fact.text }]) }));
			facts["records"] = 1;
			return memory.remember(fact, signal);
		});
	return { ...memory, remember };
}
