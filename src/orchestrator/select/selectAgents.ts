import type { AgentDefinition, AgentFit } from "../../core/agent/chain.ts";

interface RankedAgent {
	readonly agent: AgentDefinition;
	/** 0 to 1. */
	readonly score: number;
	/** Why it has this score, in sentences for the user. */
	readonly because: readonly string[];
}

export interface Selection {
	/** In the order in which they would run; empty if no agent fits. */
	readonly chosen: readonly RankedAgent[];
	/** All candidates, best first. */
	readonly ranked: readonly RankedAgent[];
	readonly rationale: string;
}

/** Below these, measured on tasks that no agent is for, what an agent shares with a task is chance. */
const LEAST_SCORE = 0.17;
const LEAST_AIM = 0.12;

/** How well an agent for a part must fit the whole, as a share of how well the best one does. */
const PART_SHARE = 0.5;

const MOST_CHOSEN = 3;

/** The agents for a task, by how they fit it and each of its parts: the best for each part in their order, or one for all. */
export function selectAgents(
	[whole = [], ...parts]: readonly (readonly AgentFit[])[],
	agents: readonly AgentDefinition[],
): Selection {
	const candidates = new Map(agents.filter(({ mayBeChosen }) => mayBeChosen).map((one) => [one.name, one]));
	const ranked = whole.flatMap((fit): RankedAgent[] => {
		const agent = candidates.get(fit.agent);
		return agent ? [{ agent, score: rounded(fit.score), because: reasonsOf(fit) }] : [];
	});
	const names = chosenOf([whole, ...parts].map((fits) => fits.filter(({ agent }) => candidates.has(agent))));
	const chosen = names.flatMap((name) => ranked.find(({ agent }) => agent.name === name) ?? []);
	return { chosen, ranked, rationale: rationaleOf(chosen, ranked) };
}

function chosenOf([whole = [], ...parts]: readonly (readonly AgentFit[])[]): readonly string[] {
	const best = whole.find(isEnough);
	if (!best) return [];
	const able = new Set(
		whole.filter(({ score }) => score >= PART_SHARE * best.score).map(({ agent }) => agent),
	);
	const named = parts.flatMap((fits) => fits.find((fit) => isEnough(fit) && able.has(fit.agent)) ?? []);
	const names = [...new Set(named.map(({ agent }) => agent))];
	return names.includes(best.agent) ? names.slice(0, MOST_CHOSEN) : [best.agent];
}

function isEnough({ score, aim }: AgentFit): boolean {
	return score >= LEAST_SCORE && aim >= LEAST_AIM;
}

function reasonsOf({ aimed, instructed, meaning }: AgentFit): readonly string[] {
	return [
		...(aimed.length > 0 ? [`its name, description, or keywords have ${quoted(aimed)}`] : []),
		...(instructed.length > 0 ? [`its instructions have ${quoted(instructed)}`] : []),
		`its description is similar to the prompt (cosine ${meaning.toFixed(2)})`,
	];
}

const MOST_WORDS = 8;

function quoted(words: readonly string[]): string {
	const shown = words.slice(0, MOST_WORDS).map((word) => `“${word}”`);
	return [...shown, ...(words.length > MOST_WORDS ? ["…"] : [])].join(", ");
}

function rounded(score: number): number {
	return Math.round(score * 100) / 100;
}

const MOST_NEAREST = 3;

function rationaleOf(chosen: readonly RankedAgent[], ranked: readonly RankedAgent[]): string {
	if (chosen.length > 0) return `Selected by what the files of the agents say: ${scored(chosen)}`;
	if (ranked.length === 0) return "There is no agent to choose. Describe one in .github/agents.";
	return `No agent fits this task; the nearest are ${scored(ranked.slice(0, MOST_NEAREST))}. Name the agent that should do it.`;
}

function scored(agents: readonly RankedAgent[]): string {
	return agents.map(({ agent, score }) => `${agent.name} (${score.toFixed(2)})`).join(", ");
}
