import { relevanceOf, weigh } from "../../base/words/relevance.ts";
import type { ContextPart, Turn } from "../../core/agent/agentEvent.ts";
import type { Recollection } from "../../core/session/memory.ts";
import { MESSAGE_TOKENS, type Summary } from "../prompt/promptFacts.ts";
import { type Count, clipped, cutTo } from "./tokenCounts.ts";

interface Candidate {
	readonly kind: "turn" | "recollection" | "summary";
	readonly index: number;
	readonly title: string;
	readonly tokens: number;
}

interface PastFacts {
	readonly question: string;
	readonly history: readonly Turn[];
	readonly summary?: Summary | undefined;
	readonly recollections: readonly Recollection[];
}

type Past = Awaited<ReturnType<typeof measurePast>>;

/** Counts the tokens of turns and memories; `want` is the total. */
export async function measurePast(facts: PastFacts, count: Count) {
	const turns = facts.history.map(async ({ question, answer }, index): Promise<Candidate> => {
		const tokens = (await count(question)) + (await count(answer)) + 2 * MESSAGE_TOKENS;
		return { kind: "turn", index, title: titleOf(question), tokens };
	});
	const memories = facts.recollections.map(async ({ text }, index): Promise<Candidate> => {
		return { kind: "recollection", index, title: titleOf(text), tokens: (await count(`- ${text}\n`)) + 1 };
	});
	const [measuredTurns, measuredMemories] = await Promise.all([Promise.all(turns), Promise.all(memories)]);
	const want = [...measuredTurns, ...measuredMemories].reduce((sum, { tokens }) => sum + tokens, HEAD);
	const { summary } = facts;
	const measuredSummary: Candidate | undefined = summary && {
		kind: "summary",
		index: 0,
		title: `Summary of the first ${summary.turns} turns`,
		tokens: (await count(summary.text)) + HEAD,
	};
	return { ...facts, turns: measuredTurns, memories: measuredMemories, measuredSummary, want };
}

const HEAD = 24;

/** Chooses relevant and recent turns. Only the last turn is ever cut: without it, “go on” would mean nothing. */
export async function fitPast(past: Past, allowance: number, count: Count) {
	const last = await fitLast(past, allowance, count);
	let used = last?.tokens ?? 0;
	const chosen = new Map<Candidate, string>();
	const { newest, covered, relevant } = rank(past);
	const take = (candidate: Candidate | undefined, limit: number, why: string) => {
		if (!candidate || chosen.has(candidate)) return;
		const isFirst = chosen.keys().every(({ kind }) => kind !== "recollection");
		const isFirstMemory = candidate.kind === "recollection" && isFirst;
		const cost = candidate.tokens + (isFirstMemory ? HEAD : 0);
		if (used + cost > limit) return;
		used += cost;
		chosen.set(candidate, why);
	};
	if (past.want > allowance) take(past.measuredSummary, allowance / 2 + used / 2, SUMMARIZES);
	take(relevant[0], allowance, RELEVANT);
	for (const turn of newest) take(turn, allowance / 2, RECENT);
	for (const candidate of relevant) take(candidate, allowance, RELEVANT);
	for (const turn of [...newest, ...covered]) take(turn, allowance, RECENT);
	const turns = past.turns.flatMap((turn) => {
		const whole = past.history[turn.index];
		if (last?.index === turn.index) return [last.turn];
		return whole && chosen.has(turn) ? [whole] : [];
	});
	return {
		history: turns,
		summary: past.measuredSummary && chosen.has(past.measuredSummary) ? past.summary : undefined,
		recollections: past.recollections.filter(
			(_, index) => past.memories[index] && chosen.has(past.memories[index]),
		),
		parts: partsOf(past, last, chosen),
		used,
	};
}

const RELEVANT = "it is related to the question";
const RECENT = "it is recent";
const SUMMARIZES = "it replaces the turns that did not fit";
const NO_ROOM = "it did not fit";

/** Cuts the answer of the last turn if the turn would take more than half of the tokens. */
async function fitLast(past: Past, allowance: number, count: Count) {
	const measured = past.turns.at(-1);
	const turn = past.history.at(-1);
	if (!measured || !turn) return undefined;
	if (measured.tokens <= allowance / 2) return { ...measured, turn };
	const others = (await count(turn.question)) + 2 * MESSAGE_TOKENS;
	const answer = await cutTo(turn.answer, allowance / 2 - others, count);
	if (answer === "") return undefined;
	return { index: measured.index, turn: { ...turn, answer }, tokens: others + (await count(answer)) };
}

/** Ranks earlier turns by age, newest first, and turns and memories by words shared with the question. */
function rank({ question, history, summary, turns, memories }: Past) {
	const older = turns.slice(0, -1);
	const texts = history.map((turn) => weigh(`${turn.question}\n${turn.answer}`));
	const scores = relevanceOf(weigh(question), texts);
	const scoreOf = ({ index }: Candidate) => scores[index] ?? 0;
	const related = older.filter((turn) => scoreOf(turn) > 0).sort((a, b) => scoreOf(b) - scoreOf(a));
	const newestFirst = older.toReversed();
	const isCovered = ({ index }: Candidate) => index < (summary?.turns ?? 0);
	return {
		newest: newestFirst.filter((turn) => !isCovered(turn)),
		covered: newestFirst.filter(isCovered),
		// Alternates: the best turn, the best memory, the second turn …
		relevant: [...related.entries(), ...memories.entries()].sort(([a], [b]) => a - b).map(([, one]) => one),
	};
}

function partsOf(
	{ turns, memories, measuredSummary }: Past,
	last: Awaited<ReturnType<typeof fitLast>>,
	chosen: ReadonlyMap<Candidate, string>,
): ContextPart[] {
	const partOf = (candidate: Candidate): ContextPart => {
		const { kind, title, tokens } = candidate;
		const why = chosen.get(candidate);
		const section = kind === "recollection" ? "memory" : "history";
		return { section, title, tokens, given: why ? tokens : 0, why: why ?? NO_ROOM };
	};
	const given = measuredSummary && chosen.has(measuredSummary) ? [measuredSummary] : [];
	const parts = [...memories, ...given, ...turns.slice(0, -1)].map(partOf);
	const measured = turns.at(-1);
	if (!measured) return parts;
	const { title, tokens } = measured;
	const why = last ? "it is the last turn" : NO_ROOM;
	return [...parts, { section: "history", title, tokens, given: last?.tokens ?? 0, why }];
}

function titleOf(text: string): string {
	return clipped(text.trim().split("\n", 1)[0] ?? "", 80);
}
