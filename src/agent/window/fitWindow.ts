import type { ContextPart } from "../../core/agent/contextReport.ts";
import type { ToolCall } from "../../core/agent/message.ts";
import type { PromptFacts } from "../prompt/promptFacts.ts";
import type { CutNote } from "./cut.ts";
import { fitPast, measurePast } from "./fitHistory.ts";
import { fitListing, measureListing } from "./fitListing.ts";
import { fitRounds, measureRounds } from "./fitRounds.ts";
import { fitSources, measureSources } from "./fitSources.ts";
import { flow } from "./flow.ts";
import type { Count } from "./tokenCounts.ts";

/** What of the free room belongs to whom, where all want more than there is. */
const SHARE = { results: 0.45, sources: 0.35, listing: 0.15, past: 0.2 };

/** The facts that find a place in the window. */
export interface FittedWindow {
	readonly facts: PromptFacts;
	/** What became of each of them, in the order of the prompt. */
	readonly parts: readonly ContextPart[];
}

/**
 * Chooses what fits into so many tokens besides the instructions, the tools and the question. Each section has a share,
 * and what one leaves over flows to the others.
 */
export async function fitWindow(
	facts: PromptFacts,
	free: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
): Promise<FittedWindow> {
	const { request, hits, recollections, summary } = facts;
	const [rounds, sources, listing, past] = await Promise.all([
		measureRounds(facts.rounds, count),
		measureSources({ attachments: request.attachments, hits }, count),
		measureListing(facts.listing, count),
		measurePast({ question: request.question, history: request.history, summary, recollections }, count),
	]);
	const [forResults = 0, forSources = 0, forListing = 0, forPast = 0] = flow(free, [
		{ weight: SHARE.results, want: rounds.want },
		{ weight: SHARE.sources, want: sources.want },
		{ weight: SHARE.listing, want: listing.want },
		{ weight: SHARE.past, want: past.want },
	]);
	const results = await fitRounds(rounds, forResults, { count, noteOf });
	const counted = await fitListing(listing, forListing, count);
	// Whole pieces seldom fill a room: what is left of one goes to the next.
	const spare = forResults + forListing - results.used - counted.used;
	const given = await fitSources(sources, forSources + spare, count);
	const left = forSources + spare - given.used;
	const before = await fitPast(past, forPast + left, count);
	return {
		facts: {
			...facts,
			request: { ...request, attachments: given.attachments, history: before.history },
			hits: given.hits,
			listing: counted.listing,
			summary: before.summary,
			recollections: before.recollections,
			rounds: results.rounds,
		},
		parts: [...given.parts, ...counted.parts, ...before.parts, ...results.parts],
	};
}
