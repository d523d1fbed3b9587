import { relevanceOf } from "../base/words/relevance.ts";
import type { FromChannel } from "../core/permission/permission.ts";
import type { RecallQuery, Recollection } from "../core/session/memory.ts";
import type { Facts } from "./facts/facts.ts";
import { keyOf, type Message, type WeighedMessage } from "./messages/message.ts";
import type { MessageQuery } from "./messages/messages.ts";
import { firstOfEach, isStep, rank, type SearchParts, weighQuery } from "./searchSessions.ts";
import { type RecallSight, recallSight, type Visibility } from "./visibility/visibility.ts";

const DEFAULT_LIMIT = 8;
const CANDIDATES = 30;
/** Bonus of a new recollection, and the number of milliseconds after which the bonus is halved. */
const [RECENCY, HALF_LIFE_MS] = [0.1, 30 * 86_400_000];
/** Minimum relevance of turns and of facts. The user or a model saved a fact on purpose, so less is enough. */
const [LEAST_TURN, LEAST_FACT] = [0.25, 0.15];
const [QUESTION, ANSWER] = [300, 900];

interface RecallParts extends SearchParts {
	readonly facts: Facts;
	readonly visibility: Visibility;
}

type Seeing = RecallParts & { readonly sight: RecallSight };

/** Recalls facts and turns by relevance, plus a bonus for recency that decays exponentially. */
export async function recall(parts: RecallParts, query: FromChannel<RecallQuery>, signal: AbortSignal) {
	if (query.query.trim() === "") return [];
	const sight = await recallSight(query.channel, parts.visibility, parts.journals.entries);
	const seeing = { ...parts, sight };
	const found = await Promise.all([recallFacts(seeing, query), recallTurns(seeing, query)]);
	signal.throwIfAborted();
	const best = found.flat().sort((a, b) => b.score - a.score);
	return best.slice(0, query.limit ?? DEFAULT_LIMIT);
}

async function recallFacts({ facts, embedder, sight }: Seeing, query: RecallQuery): Promise<Recollection[]> {
	const candidates = (await facts.weighed(query)).filter(({ fact }) => sight.fact(fact));
	const relevances = relevanceOf(await weighQuery(query.query, embedder), candidates);
	return candidates.flatMap(({ fact }, index) => {
		const relevance = relevances[index] ?? 0;
		if (relevance < LEAST_FACT) return [];
		const { text, updatedAt: at } = fact;
		return [{ kind: "fact", text, at, score: withRecency(relevance, at), fact }];
	});
}

async function recallTurns(parts: Seeing, query: RecallQuery): Promise<Recollection[]> {
	const { overview, index, embedder } = parts;
	await index.catchUp();
	const asked = await weighQuery(query.query, embedder);
	const rows = index.candidates(query.query, asked.vector, withinReach(parts, query));
	// The answers of a chain already include the results of its steps.
	const chains = rows.filter(({ session }) => {
		const summary = overview.digests().get(session)?.summary;
		return summary && !isStep(summary, overview);
	});
	const known = await onlySeen(chains, parts.sight);
	// The better match of question and answer represents the turn.
	const relevant = firstOfEach(rank(asked, known), keyOf).filter(({ relevance }) => relevance >= LEAST_TURN);
	const best = relevant.slice(0, query.limit ?? DEFAULT_LIMIT);
	const texts = Map.groupBy(index.rowsOf(best.map(({ row }) => row)), keyOf);
	return best.flatMap(({ row, relevance }) => {
		const summary = overview.digests().get(row.session)?.summary;
		const turn = texts.get(keyOf(row)) ?? [];
		// A turn without an answer is the current turn, or has nothing to recall.
		if (!summary || !turn.some(({ role, text }) => role === "answer" && text !== "")) return [];
		const session = { id: summary.id, title: summary.title, turn: row.turn };
		const score = withRecency(relevance, row.at);
		return [{ kind: "turn", text: textOf(row, turn), at: row.at, score, session }] as const;
	});
}

/** Drops hidden turns before words are weighted, so that hidden turns cannot influence the ranking. */
async function onlySeen(rows: readonly WeighedMessage[], sight: RecallSight): Promise<WeighedMessage[]> {
	const turns = new Map(rows.map((row) => [keyOf(row), sight.turn(row)]));
	const seen = await Promise.all(rows.map((row) => turns.get(keyOf(row))));
	return rows.filter((_, at) => seen[at]);
}

function withinReach({ overview }: RecallParts, { workspace, session }: RecallQuery): MessageQuery {
	const sessions = Array.from(overview.digests()).flatMap(([id, { summary }]) =>
		summary.workspace === workspace || id === session ? id : [],
	);
	return { sessions, limit: CANDIDATES };
}

/** Returns the question, and the piece of the answer that was found, or the beginning of the answer. */
function textOf(found: Message, rows: readonly Message[]): string {
	const question = rows.find(({ role }) => role === "question")?.text ?? "";
	const answer = found.role === "answer" ? found : rows.find(({ role }) => role === "answer");
	const lines = [cut(question, QUESTION), cut(answer?.text ?? "", ANSWER)];
	return lines.filter((line) => line !== "").join("\n");
}

function cut(text: string, length: number): string {
	return text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`;
}

function withRecency(relevance: number, at: number): number {
	const age = Math.max(0, Date.now() - at);
	return relevance + RECENCY * 2 ** (-age / HALF_LIFE_MS);
}
