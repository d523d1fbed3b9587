import type { Attachment, ContextPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { briefPlace } from "../../core/knowledge/citation.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import { MESSAGE_TOKENS, type PromptFacts } from "../prompt/promptFacts.ts";
import { fitPast, measurePast } from "./fitHistory.ts";
import { fitPieces, flow, type Piece } from "./fitPieces.ts";
import { fitRounds, measureRounds } from "./fitRounds.ts";
import type { Count, CutNote } from "./tokenCounts.ts";

/** Relative shares of the free tokens if all sections together want more. */
const SHARE = { results: 0.45, sources: 0.35, listing: 0.15, past: 0.2 };

/** Fits the prompt's sections into `free` tokens. Tokens that a section does not use go to other sections. */
export async function fitWindow(
	facts: PromptFacts,
	free: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
) {
	const { request, hits, recollections, summary } = facts;
	const [rounds, sources, listing, past] = await Promise.all([
		measureRounds(facts.rounds, count),
		measureSources({ attachments: request.attachments, hits }, count),
		listingPieces(facts.listing, count),
		measurePast({ question: request.question, history: request.history, summary, recollections }, count),
	]);
	const [forResults = 0, forSources = 0, forListing = 0, forPast = 0] = flow(free, [
		{ weight: SHARE.results, want: rounds.want },
		{ weight: SHARE.sources, want: sources.want },
		{ weight: SHARE.listing, want: sum(listing) },
		{ weight: SHARE.past, want: past.want },
	]);
	const results = await fitRounds(rounds, forResults, { count, noteOf });
	const counted = await fitPieces(listing, forListing, count);
	// Whole pieces rarely fill their share, so unused tokens are passed to the next section.
	const spare = forResults + forListing - results.used - counted.used;
	const given = await fitSources(sources, forSources + spare, count);
	const left = forSources + spare - given.used;
	const before = await fitPast(past, forPast + left, count);
	return {
		facts: {
			...facts,
			request: { ...request, attachments: given.attachments, history: before.history },
			hits: given.hits,
			listing: counted.texts[0] || undefined,
			summary: before.summary,
			recollections: before.recollections,
			rounds: results.rounds,
		},
		parts: [...given.parts, ...counted.parts, ...before.parts, ...results.parts],
	};
}

async function listingPieces(text: string | undefined, count: Count): Promise<Piece[]> {
	if (text === undefined) return [];
	const tokens = (await count(text)) + MESSAGE_TOKENS;
	// The first line has the total, so a listing that is cut at its end still states the total.
	const [title, why] = ["Counted in the graph", "the question counts or lists"];
	return [{ section: "sources", title, text, tokens, frame: MESSAGE_TOKENS, why }];
}

type Sources = Awaited<ReturnType<typeof measureSources>>;

const HEAD = 16 + MESSAGE_TOKENS;

async function measureSources(
	given: { readonly attachments: readonly Attachment[]; readonly hits: readonly Hit[] },
	count: Count,
) {
	const about = { section: "attachments", why: "you attached it" } as const;
	const attachments = await piecesOf(given.attachments, about, count);
	const hits = await Promise.all(
		given.hits.map(async (hit) => ({ hit, tokens: (await count(formatEvidence(hit))) + 2 })),
	);
	return { attachments, hits, want: sum(attachments) + sum(hits) };
}

export function piecesOf(
	texts: readonly Attachment[],
	about: { readonly section: Piece["section"]; readonly why: string },
	count: Count,
): Promise<Piece[]> {
	return Promise.all(
		texts.map(async ({ name: title, text }) => {
			const frame = (await count(title)) + HEAD;
			return { ...about, title, text, frame, tokens: (await count(text)) + frame };
		}),
	);
}

export function attachmentsIn(pieces: readonly Piece[], texts: readonly string[]): Attachment[] {
	const named = pieces.map(({ title: name }, index) => ({ name, text: texts[index] ?? "" }));
	return named.filter(({ text }) => text !== "");
}

/** Cuts attachments to a fair share. Takes the best hits that fit, and skips hits that are too long. */
async function fitSources(sources: Sources, allowance: number, count: Count) {
	const [forAttachments = 0] = flow(allowance, [
		{ weight: 1, want: sum(sources.attachments) },
		{ weight: 1, want: sum(sources.hits) },
	]);
	const cut = await fitPieces(sources.attachments, forAttachments, count);
	const best = fitHits(sources.hits, allowance - cut.used);
	return {
		attachments: attachmentsIn(sources.attachments, cut.texts),
		hits: best.hits,
		parts: [...cut.parts, ...best.parts],
		used: cut.used + best.used,
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
