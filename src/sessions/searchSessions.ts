import { ifThere } from "../base/failure.ts";
import { relevanceOf, type Weighable, wordsOf } from "../base/words/relevance.ts";
import type { Embedder } from "../core/knowledge/embedder.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { SessionHit, SessionQuery, SessionSearch, SessionSummary } from "../core/session/session.ts";
import type { Journals } from "./journal/journals.ts";
import type { Overview } from "./journal/overview.ts";
import { toTranscript } from "./journal/transcript.ts";
import { keyOf, type Message, type WeighedMessage } from "./messages/message.ts";
import type { MessageIndex } from "./messages/messageIndex.ts";

const CANDIDATES = 60;

const [EXCERPT, BEFORE] = [200, 60];

const LEAST_RELEVANCE = 0.1;

export interface SearchParts {
	readonly journals: Journals;
	readonly overview: Overview;
	readonly index: MessageIndex;
	readonly embedder: Embedder | undefined;
}

export interface RankedRow {
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

export async function weighQuery(text: string, embedder: Embedder | undefined): Promise<Weighable> {
	return { words: wordsOf(text), vector: (await embedder?.embed([text])) ?? new Float32Array() };
}

export function rank(query: Weighable, rows: readonly WeighedMessage[]): RankedRow[] {
	const relevances = relevanceOf(query, rows);
	return rows
		.map((row, index) => ({ row, relevance: relevances[index] ?? 0 }))
		.filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
		.sort((a, b) => b.relevance - a.relevance || b.row.at - a.row.at);
}

export function firstOfEach(ranked: readonly RankedRow[], keyOf: (row: Message) => string): RankedRow[] {
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
export function isStep({ id, partOf }: SessionSummary, { digests }: Overview): boolean {
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
