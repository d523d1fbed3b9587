import type { AgentDefinition } from "../../core/agent/chain.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import { matchKeyword } from "./match.ts";

interface Point {
	readonly term: "exact" | "partial" | "synonym" | "meaning";
	readonly points: number;
	readonly because: string;
	readonly keyword?: string;
}

interface RankedAgent {
	readonly agent: AgentDefinition;
	readonly score: number;
	readonly points: readonly Point[];
}

export interface Selection {
	/** In the order in which they would run. */
	readonly chosen: readonly RankedAgent[];
	/** All candidates, best first. */
	readonly ranked: readonly RankedAgent[];
	/** Whether no agent fits, so that the first of the registry are chosen. */
	readonly isFallback: boolean;
	readonly rationale: string;
}

/** How alike a text and each of some others are, 0 to 1, by the vectors of a model. */
export type Likeness = (
	text: string,
	others: readonly string[],
	signal: AbortSignal,
) => Promise<readonly number[]>;

const WEIGHTS = { exact: 2, partial: 1, synonym: 0.5 } as const;

/** The most that the meaning adds; what is less alike than any two texts of software adds nothing. */
const MEANING_WEIGHT = 2;
const LEAST_LIKENESS = 0.3;

const MOST_CHOSEN = 3;
const FALLBACK = 3;

/** The third is only taken along if it fits at least so well, of how well the best does. */
const THIRD = 0.5;

export function meaningOf({ name, description, keywords }: AgentDefinition): string {
	return [name.replaceAll("-", " "), description, keywords.join(" ")].join(". ");
}

/** Which agents fit a prompt. `likeness` has a number for each agent, in their order; omitted without a model. */
export function selectAgents(
	evaluation: Evaluation,
	agents: readonly AgentDefinition[],
	likeness: readonly number[] = [],
): Selection {
	const ranked = agents
		.map((agent, index) => rank(agent, evaluation, likeness[index] ?? 0))
		.filter(({ agent }) => agent.mayBeChosen)
		// Stable: of equal scores, the first of the registry stays first.
		.sort((a, b) => b.score - a.score);
	const fitting = ranked.filter(({ score }) => score > 0);
	const isFallback = fitting.length === 0;
	const first = new Map(agents.map((agent, index) => [agent, index]));
	const best = isFallback
		? [...ranked].sort((a, b) => (first.get(a.agent) ?? 0) - (first.get(b.agent) ?? 0)).slice(0, FALLBACK)
		: fitting
				.slice(0, MOST_CHOSEN)
				.filter(({ score }, index) => index < 2 || score >= THIRD * (fitting[0]?.score ?? 0));
	const chosen = inHandoffOrder(best);
	return { chosen, ranked, isFallback, rationale: rationaleOf(chosen, isFallback) };
}

function rank(agent: AgentDefinition, evaluation: Evaluation, likeness: number): RankedAgent {
	// Files of the CLI and of VS Code have no keywords, so their name is used.
	const keywords = agent.keywords.length > 0 ? agent.keywords : [agent.name];
	const matched = [...new Set(keywords)].flatMap((keyword): Point[] => {
		const match = matchKeyword(keyword, evaluation);
		if (!match) return [];
		const because = `“${match.word}” ${RELATIONS[match.kind]} its keyword “${keyword}”`;
		return [{ term: match.kind, points: WEIGHTS[match.kind], because, keyword }];
	});
	const meaning = toPoints(likeness);
	const points: Point[] =
		meaning === 0
			? matched
			: [
					...matched,
					{
						term: "meaning",
						points: meaning,
						because: `its description is similar to the prompt (cosine ${likeness.toFixed(2)})`,
					},
				];
	return { agent, points, score: rounded(points.reduce((sum, point) => sum + point.points, 0)) };
}

const RELATIONS = {
	exact: "is",
	partial: "is a part of",
	synonym: "means almost the same as",
} as const;

function toPoints(likeness: number): number {
	const above = Math.max(0, likeness - LEAST_LIKENESS) / (1 - LEAST_LIKENESS);
	return rounded(MEANING_WEIGHT * above);
}

function rounded(score: number): number {
	return Math.round(score * 100) / 100;
}

/** An agent that hands over to another one comes before it; in a circle, the better one does. */
function inHandoffOrder(chosen: readonly RankedAgent[]): RankedAgent[] {
	const ordered = new Set<RankedAgent>();
	const open = new Set<RankedAgent>();
	const place = (one: RankedAgent) => {
		if (ordered.has(one) || open.has(one)) return;
		open.add(one);
		for (const other of chosen)
			if (other.agent.handoffs.some(({ agent }) => agent === one.agent.name)) place(other);
		ordered.add(one);
	};
	for (const one of chosen) place(one);
	return [...ordered];
}

function rationaleOf(chosen: readonly RankedAgent[], isFallback: boolean): string {
	if (chosen.length === 0) return "There is no agent to choose.";
	const names = chosen.map(({ agent }) => agent.name).join(", ");
	if (isFallback) return `No agent matches, so the first ones are used. Agents: ${names}`;
	const keywords = new Set(chosen.flatMap(({ points }) => points.flatMap(({ keyword }) => keyword ?? [])));
	const by =
		keywords.size > 0 ? `keywords: ${[...keywords].join(", ")}` : "the meaning of their descriptions";
	return `Selected based on ${by}. Agents: ${names}`;
}
