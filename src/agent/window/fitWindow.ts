import type { Attachment, ContextPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { briefPlace } from "../../core/knowledge/citation.ts";
import { formatEvidence } from "../../core/knowledge/evidence.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import { MESSAGE_TOKENS, type PromptFacts, type ToolRound } from "../prompt/promptFacts.ts";
import { fitPast, measurePast } from "./fitHistory.ts";
import { type Count, type CutNote, clipped, cutTo } from "./tokenCounts.ts";

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

/** Minimum tokens of a useful result. If there are fewer, the whole round is dropped. */
const LEAST_RESULT = 48;

type Rounds = Awaited<ReturnType<typeof measureRounds>>;
type MeasuredRound = Rounds["rounds"][number];

export async function measureRounds(rounds: readonly ToolRound[], count: Count) {
	const measured = await Promise.all(
		rounds.map(async (round) => {
			const counted = round.calls.map((_, index) => count(round.outcomes[index] ?? ""));
			const words = (await count(round.text)) + (await count(callsText(round.calls)));
			const frame = words + MESSAGE_TOKENS * (1 + round.calls.length);
			return { round, frame, results: await Promise.all(counted) };
		}),
	);
	return { rounds: measured, want: measured.reduce((sum, one) => sum + one.frame + total(one.results), 0) };
}

/** Returns the JSON in which calls are sent, to count its tokens. */
export function callsText(calls: readonly ToolCall[]): string {
	return calls.length === 0 ? "" : JSON.stringify(calls);
}

/** Drops the oldest rounds until all others fit with minimal results. Cuts long results to a fair share. */
export async function fitRounds(
	{ rounds }: Rounds,
	allowance: number,
	{ count, noteOf }: { readonly count: Count; readonly noteOf: (call: ToolCall) => CutNote },
) {
	const kept = rounds.slice(firstKept(rounds, allowance));
	const gone = rounds.slice(0, rounds.length - kept.length).flatMap(leftOut);
	const frames = total(kept.map(({ frame }) => frame));
	const pieces = kept.flatMap(({ round, results }) =>
		round.calls.map((call, index): Piece => {
			const [text = "", tokens = 0] = [round.outcomes[index], results[index]];
			return { ...named(call), text, tokens, why: "the model asked for it", note: noteOf(call) };
		}),
	);
	const { texts, parts, used } = await fitPieces(pieces, allowance - frames, count);
	const fitted = kept.map(({ round }) => ({
		...round,
		outcomes: round.calls.map(() => texts.shift() ?? ""),
	}));
	return { rounds: fitted, parts: [...gone, ...parts], used: frames + used };
}

/** Returns the index of the oldest round that fits, with minimal results, together with all later rounds. */
function firstKept(rounds: readonly MeasuredRound[], allowance: number): number {
	let left = allowance;
	for (let index = rounds.length - 1; index >= 0; index--) {
		const { frame = 0, results = [] } = rounds[index] ?? {};
		left -= frame + total(results.map((cost) => Math.min(cost, LEAST_RESULT)));
		if (left < 0) return index + 1;
	}
	return 0;
}

function leftOut({ round, results }: MeasuredRound): ContextPart[] {
	const why = "the oldest calls did not fit";
	return round.calls.map((call, index) => ({ ...named(call), tokens: results[index] ?? 0, given: 0, why }));
}

function named({ name, input }: ToolCall) {
	return { section: "results" as const, title: clipped(`${name} ${JSON.stringify(input)}`, 100) };
}

function total(numbers: readonly number[]): number {
	return numbers.reduce((sum, number) => sum + number, 0);
}

export interface Piece {
	readonly section: ContextPart["section"];
	readonly title: string;
	readonly text: string;
	readonly tokens: number;
	readonly frame?: number;
	readonly why: string;
	readonly note?: CutNote;
}

/**
 * Cuts pieces to a fair share of `room` tokens. `texts` keeps the order of the pieces, with "" for omitted ones.
 */
export async function fitPieces(pieces: readonly Piece[], room: number, count: Count) {
	const wants = pieces.map(({ tokens }) => ({ weight: 1, want: tokens }));
	const rooms = flow(room, wants);
	const fitted = await Promise.all(pieces.map((piece, index) => fitPiece(piece, rooms[index] ?? 0, count)));
	return {
		texts: fitted.map(({ text }) => text),
		parts: fitted.map(({ part }) => part),
		used: fitted.reduce((sum, { part }) => sum + part.given, 0),
	};
}

async function fitPiece({ text: whole, frame = 0, note, ...piece }: Piece, room: number, count: Count) {
	const { section, title, tokens } = piece;
	const text = tokens <= room ? whole : await cutTo(whole, room - frame, count, note);
	const given = text === "" ? 0 : frame + (await count(text));
	const whyCut = text === "" ? "it did not fit" : "it was shortened to fit";
	const part: ContextPart = { section, title, tokens, given, why: text === whole ? piece.why : whyCut };
	return { text, part };
}

/** Divides an amount by weights with max-min fairness: no share exceeds its `want`. */
export function flow(amount: number, wants: readonly { readonly weight: number; readonly want: number }[]) {
	let left = Math.max(0, amount);
	let weights = wants.reduce((sum, { weight }) => sum + weight, 0);
	const given = wants.map(() => 0);
	// Serving the smallest want per weight first leaves more for the others.
	const modestFirst = [...wants.entries()].sort(([, a], [, b]) => a.want / a.weight - b.want / b.weight);
	for (const [index, { weight, want }] of modestFirst) {
		const share = Math.floor(Math.min(want, (left * weight) / weights));
		given[index] = share;
		left -= share;
		weights -= weight;
	}
	return given;
}
