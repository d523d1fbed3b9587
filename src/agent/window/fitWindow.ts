import type { ContextPart } from "../../core/agent/contextReport.ts";
import type { ToolCall } from "../../core/agent/message.ts";
import type { PromptFacts } from "../prompt/promptFacts.ts";
import { MESSAGE_TOKENS } from "../prompt/tokens.ts";
import { type CutNote, cutTo } from "./cut.ts";
import { fitPast, measurePast } from "./fitHistory.ts";
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

/** What the graph counted or listed, with its cost; `want` is 0 where there is nothing. */
interface MeasuredListing {
	readonly listing: string | undefined;
	readonly want: number;
}

async function measureListing(listing: string | undefined, count: Count): Promise<MeasuredListing> {
	return { listing, want: listing === undefined ? 0 : (await count(listing)) + MESSAGE_TOKENS };
}

interface FittedListing {
	readonly listing: string | undefined;
	readonly parts: readonly ContextPart[];
	readonly used: number;
}

/** The number stands in its first line: a listing that is cut at its end still has it. */
async function fitListing(
	{ listing, want }: MeasuredListing,
	room: number,
	count: Count,
): Promise<FittedListing> {
	if (listing === undefined) return { listing, parts: [], used: 0 };
	const text = want <= room ? listing : await cutTo(listing, room - MESSAGE_TOKENS, count);
	const used = text === "" ? 0 : (await count(text)) + MESSAGE_TOKENS;
	const part = { section: "sources" as const, title: "Counted in the graph", tokens: want, given: used };
	const given = text === listing ? "the question counts or lists" : "it was shortened to fit";
	const why = text === "" ? "it did not fit" : given;
	return { listing: text === "" ? undefined : text, parts: [{ ...part, why }], used };
}
