import type { AgentRequest } from "../../core/agent/agentEvent.ts";
import type { SearchResult } from "../../core/knowledge/knowledge.ts";
import type { AgentPorts } from "../ports.ts";

const FIRST_PASSAGES = 8;

/** Searches where the person pointed at, and everywhere where nothing is found there. */
export async function searchFirst(
	{ search }: Pick<AgentPorts, "search">,
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
