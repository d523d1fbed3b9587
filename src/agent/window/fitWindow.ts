import type { Attachment, ContextPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { briefPlace } from "../../core/knowledge/citation.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import { MESSAGE_TOKENS, type PromptFacts } from "../prompt/promptFacts.ts";
import { fitPast, measurePast } from "./fitHistory.ts";
import { fitRounds, flow, measureRounds } from "./fitRounds.ts";
import { type Count, type CutNote, cutTo } from "./tokenCounts.ts";

/** Shares of the free tokens if all sections want more than there is. */
const SHARE = { results: 0.45, sources: 0.35, listing: 0.15, past: 0.2 };

/**
 * Chooses what fits into `free` tokens besides the instructions, the tools and the question. Each section has a share,
 * and unused tokens flow to the others.
 */
export async function fitWindow(
	facts: PromptFacts,
	free: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
) {
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
	// Whole pieces seldom fill their share: unused tokens go to the next section.
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
		/** What became of each of them, in the order of the prompt. */
		parts: [...given.parts, ...counted.parts, ...before.parts, ...results.parts],
	};
}

/** The graph's count or list, with its cost; `want` is 0 if there is none. */
async function measureListing(listing: string | undefined, count: Count) {
	return { listing, want: listing === undefined ? 0 : (await count(listing)) + MESSAGE_TOKENS };
}

/** The number is in the first line, so that a listing cut at its end still has it. */
async function fitListing(
	{ listing, want }: Awaited<ReturnType<typeof measureListing>>,
	room: number,
	count: Count,
) {
	if (listing === undefined) return { listing, parts: [], used: 0 };
	const text = want <= room ? listing : await cutTo(listing, room - MESSAGE_TOKENS, count);
	const used = text === "" ? 0 : (await count(text)) + MESSAGE_TOKENS;
	const given = text === listing ? "the question counts or lists" : "it was shortened to fit";
	const why = text === "" ? "it did not fit" : given;
	const part: ContextPart = {
		section: "sources",
		title: "Counted in the graph",
		tokens: want,
		given: used,
		why,
	};
	return { listing: text === "" ? undefined : text, parts: [part], used };
}

type Sources = Awaited<ReturnType<typeof measureSources>>;

/** What the sentences around the pieces take. */
const HEAD = 16 + MESSAGE_TOKENS;

/** What the question rests on, with its costs; `want` is what all of it would take. */
async function measureSources(
	given: { readonly attachments: readonly Attachment[]; readonly hits: readonly Hit[] },
	count: Count,
) {
	const attachments = await Promise.all(
		given.attachments.map(async (attachment) => ({
			attachment,
			tokens: (await count(attachment.text)) + (await count(attachment.name)) + HEAD,
		})),
	);
	const hits = await Promise.all(
		given.hits.map(async (hit) => ({ hit, tokens: (await count(formatEvidence(hit))) + 2 })),
	);
	return { attachments, hits, want: sum(attachments) + sum(hits) };
}

/** Attachments are cut to a fair share. Of the hits, takes the best that fit, skipping those that are too long. */
async function fitSources(sources: Sources, allowance: number, count: Count) {
	const [forAttachments = 0] = flow(allowance, [
		{ weight: 1, want: sum(sources.attachments) },
		{ weight: 1, want: sum(sources.hits) },
	]);
	const rooms = flow(
		forAttachments,
		sources.attachments.map(({ tokens }) => ({ weight: 1, want: tokens })),
	);
	const cut = await Promise.all(
		sources.attachments.map((one, index) => fitAttachment(one, rooms[index] ?? 0, count)),
	);
	const usedByAttachments = cut.reduce((total, { part }) => total + part.given, 0);
	const best = fitHits(sources.hits, allowance - usedByAttachments);
	return {
		attachments: cut.flatMap(({ attachment }) => (attachment ? [attachment] : [])),
		hits: best.hits,
		parts: [...cut.map(({ part }) => part), ...best.parts],
		used: usedByAttachments + best.used,
	};
}

async function fitAttachment(
	{ attachment, tokens }: Sources["attachments"][number],
	room: number,
	count: Count,
): Promise<{ attachment: Attachment | undefined; part: ContextPart }> {
	const { name } = attachment;
	const part = { section: "attachments" as const, title: name, tokens };
	if (tokens <= room) return { attachment, part: { ...part, given: tokens, why: "you attached it" } };
	const frame = (await count(name)) + HEAD;
	const text = await cutTo(attachment.text, room - frame, count);
	if (text === "") return { attachment: undefined, part: { ...part, given: 0, why: "it did not fit" } };
	const given = frame + (await count(text));
	return {
		attachment: { name, text },
		part: { ...part, given, why: "it was shortened to fit" },
	};
}

function fitHits(hits: Sources["hits"], room: number) {
	const taken: Hit[] = [];
	const parts: ContextPart[] = [];
	let used = 0;
	for (const { hit, tokens } of hits) {
		const fits = used + tokens <= room;
		if (fits) {
			taken.push(hit);
			used += tokens;
		}
		const title = `${hit.path}:${briefPlace(hit.lines)} ${hit.title}`;
		const why = fits ? "the first search found it" : "it did not fit";
		parts.push({ section: "sources", title, tokens, given: fits ? tokens : 0, why });
	}
	return { hits: taken, parts, used };
}

function sum(pieces: readonly { readonly tokens: number }[]): number {
	return pieces.reduce((total, { tokens }) => total + tokens, 0);
}
