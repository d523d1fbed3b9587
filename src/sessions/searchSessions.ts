import { ifThere } from "../base/failure.ts";
import { relevanceOf, type Weighable, wordsOf } from "../base/words/relevance.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { FromChannel } from "../core/permission/permission.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { RecallQuery, Recollection } from "../core/session/memory.ts";
import type { SessionHit, SessionQuery, SessionSearch, SessionSummary } from "../core/session/session.ts";
import type { Facts } from "./facts/facts.ts";
import type { Journals } from "./journal/journals.ts";
import type { Overview } from "./journal/overview.ts";
import { toTranscript } from "./journal/transcript.ts";
import type { MessageIndex } from "./messages/messageIndex.ts";
import { keyOf, type Message, type MessageQuery, type WeighedMessage } from "./messages/messages.ts";
import { type RecallSight, recallSight, type Visibility } from "./visibility/visibility.ts";

const CANDIDATES = 60;

const [EXCERPT, BEFORE] = [200, 60];

const LEAST_RELEVANCE = 0.1;

export interface SearchParts {
	readonly journals: Journals;
	readonly overview: Overview;
	readonly index: MessageIndex;
	readonly embedder: Embedder | undefined;
}

interface RankedRow {
	readonly row: WeighedMessage;
	readonly relevance: number;
}

/** Returns each message once, best first. Shows answers of steps in their chain, and omits prompts of steps. */
export async function searchSessions(parts: SearchParts, query: SessionSearch, signal: AbortSignal) {
	if (query.text.trim() === "") return [];
	await parts.overview.refreshRecent();
	await parts.index.catchUp();
	signal.throwIfAborted();
	const wanted = withSteps(sessionsFor(query, parts.overview), parts.overview);
	const asked = await weighQuery(query.text, parts.embedder);
	const offset = query.offset ?? 0;
	const isAll = wanted.size === parts.overview.digests().size;
	// A long message has several pieces, and both search methods may find the same piece.
	const limit = Math.max(CANDIDATES, 2 * (offset + query.limit));
	const filter = { limit, ...(!isAll && { sessions: wanted.keys() }) };
	const rows = parts.index.candidates(query.text, asked.vector, filter);
	const found = rows.filter((row) => isFound(row, wanted.get(row.session)));
	const ranked = rank(asked, found);
	const best = firstOfEach(ranked, (row) => `${keyOf(row)} ${row.role}`).slice(offset, offset + query.limit);
	const hits = best.map(async ({ row, relevance: score }): Promise<SessionHit[]> => {
		const place = wanted.get(row.session);
		if (!place) return [];
		const { session, step } = place;
		const turn = step === undefined ? row.turn : await turnOfStep(session, step, parts.journals);
		return [{ session, turn, role: row.role, excerpt: excerptOf(row.text, asked.words), score }];
	});
	return (await Promise.all(hits)).flat();
}

interface ShownPlace {
	readonly session: SessionSummary;
	readonly step?: string;
}

function withSteps(wanted: readonly SessionSummary[], overview: Overview): Map<string, ShownPlace> {
	const own = new Map<string, ShownPlace>(wanted.map((session) => [session.id, { session }]));
	const places = new Map(own);
	for (const { summary } of overview.digests().values()) {
		const { top, via } = topOf(summary, overview);
		if (own.has(top.id) && !own.has(summary.id)) places.set(summary.id, { session: top, step: via });
	}
	return places;
}

function isFound({ session, role }: Message, place: ShownPlace | undefined): boolean {
	return place !== undefined && (place.session.id === session || role === "answer");
}

export function sessionsFor(
	{ engine, workspace, since = 0, archived = false, steps = false }: SessionQuery,
	overview: Overview,
): SessionSummary[] {
	const all = [...overview.digests().values()].map(({ summary }) => summary);
	return all.filter(
		(session) =>
			isStep(session, overview) === steps &&
			session.archived === archived &&
			session.updatedAt >= since &&
			(engine === undefined || session.engine === engine) &&
			(workspace === undefined || session.workspace === workspace),
	);
}

async function weighQuery(text: string, embedder: Embedder | undefined): Promise<Weighable> {
	return { words: wordsOf(text), vector: (await embedder?.embed([text])) ?? new Float32Array() };
}

function rank(query: Weighable, rows: readonly WeighedMessage[]): RankedRow[] {
	const relevances = relevanceOf(query, rows);
	return rows
		.map((row, index) => ({ row, relevance: relevances[index] ?? 0 }))
		.filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
		.sort((a, b) => b.relevance - a.relevance || b.row.at - a.row.at);
}

function firstOfEach(ranked: readonly RankedRow[], keyOf: (row: Message) => string): RankedRow[] {
	return [...Map.groupBy(ranked, ({ row }) => keyOf(row)).values()].flatMap(([best]) => best ?? []);
}

/** Returns one line around the first word of the query, or the beginning if no word matches. */
function excerptOf(text: string, words: ReadonlySet<string>): string {
	const line = text.replace(/\s+/g, " ").trim();
	if (line.length <= EXCERPT) return line;
	const matches = [...line.matchAll(/[\p{L}\p{N}]+/gu)];
	const first = matches.find(([word]) => [...wordsOf(word)].some((stem) => words.has(stem)))?.index ?? 0;
	const from = first > BEFORE ? line.lastIndexOf(" ", first - BEFORE) + 1 : 0;
	const to = Math.min(line.length, from + EXCERPT);
	return `${from > 0 ? "…" : ""}${line.slice(from, to).trim()}${to < line.length ? "…" : ""}`;
}

/** Returns `false` for a step whose chain is missing, or whose chain is the step itself. */
function isStep({ id, partOf }: SessionSummary, { digests }: Overview): boolean {
	return partOf !== undefined && partOf.session !== id && digests().has(partOf.session);
}

/**
 * Returns the steps of a chain, and of all nested chains whose journals exist. Calls `visit` from the top down,
 * each time before the journal of the step is read.
 */
export async function stepsBelow(
	chain: string,
	journals: Journals,
	visit: (step: string) => Promise<void> = async () => undefined,
	seen: Set<string> = new Set([chain]),
): Promise<string[]> {
	const steps = sessionsOfSteps(await journals.entries(chain)).filter((id) => !seen.has(id));
	const found: string[] = [];
	for (const step of steps) {
		seen.add(step);
		const below = await ifThere(async () => {
			await visit(step);
			return stepsBelow(step, journals, visit, seen);
		});
		if (below) found.push(step, ...below);
	}
	return found;
}

function sessionsOfSteps(entries: readonly JournalEntry[]): string[] {
	const found = entries.flatMap((entry) =>
		entry.kind === "event" && entry.event.kind === "stepStarted" ? (entry.event.session ?? []) : [],
	);
	return [...new Set(found)];
}

/** Returns a step's top-level chain, and the direct step of that chain; for other sessions, the session itself. */
function topOf(session: SessionSummary, { digests }: Overview) {
	let [top, via] = [session, session.id];
	for (const seen = new Set<string>(); top.partOf && !seen.has(top.id); ) {
		seen.add(top.id);
		const above = digests().get(top.partOf.session)?.summary;
		if (!above) break;
		[top, via] = [above, top.id];
	}
	return { top, via };
}

/** Returns the turn of a chain in which a step ran; 0 if the journal does not say. */
async function turnOfStep(chain: SessionSummary, step: string, journals: Journals): Promise<number> {
	const { turns } = toTranscript(chain, await journals.entries(chain.id));
	return turns.find(({ runs = [] }) => runs.some(({ session }) => session === step))?.turn ?? 0;
}

const DEFAULT_LIMIT = 8;
const RECALL_CANDIDATES = 30;
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
	return { sessions, limit: RECALL_CANDIDATES };
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
