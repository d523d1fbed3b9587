import { languageOf } from "../../base/language/detect.ts";
import type { AgentDefinition, AgentFit } from "../../core/agent/chain.ts";

interface RankedAgent {
	readonly agent: AgentDefinition;
	/** Fit with the whole task, from 0 to 1. */
	readonly score: number;
	readonly because: readonly string[];
}

export interface Selection {
	/** Selected agents in the order of their steps; empty if no agent fits. */
	readonly chosen: readonly RankedAgent[];
	readonly ranked: readonly RankedAgent[];
	readonly rationale: string;
}

/** Minimum score and aim of a match. On tasks that fit no agent, lower values occurred by chance. */
const LEAST_SCORE = 0.17;
const LEAST_AIM = 0.12;

/** Lower minimums for a clear leader if the task is in another language, measured on German tasks. */
const FOREIGN = { score: 0.12, aim: 0.1, lead: 1.6 };

/** Minimum score of a part's agent on the whole task, as a share of the best agent's score. */
const PART_SHARE = 0.5;
const MOST_CHOSEN = 3;

/** Selects the best agent for each part of a task, in order, or a single agent for the whole task. */
export function selectAgents(
	[whole = [], ...parts]: readonly (readonly AgentFit[])[],
	agents: readonly AgentDefinition[],
	task = "",
): Selection {
	const candidates = new Map(agents.filter(({ mayBeChosen }) => mayBeChosen).map((one) => [one.name, one]));
	const ranked = whole.flatMap((fit): RankedAgent[] => {
		const agent = candidates.get(fit.agent);
		return agent ? [{ agent, score: Math.round(fit.score * 100) / 100, because: reasonsOf(fit) }] : [];
	});
	const language = languageOf(task);
	const told = ranked.slice(0, MOST_READ).map(({ agent }) => agent.description);
	const own = languageOf(told.join(" "));
	const isForeign = language !== undefined && own !== undefined && language !== own;
	const among = [whole, ...parts].map((fits) => fits.filter(({ agent }) => candidates.has(agent)));
	const names = chosenOf(among, isForeign);
	const chosen = names.flatMap((name) => ranked.find(({ agent }) => agent.name === name) ?? []);
	return { chosen, ranked, rationale: rationaleOf(chosen, ranked, isForeign) };
}

function chosenOf([whole = [], ...parts]: readonly (readonly AgentFit[])[], isForeign: boolean) {
	const best = whole.find(isEnough) ?? (isForeign ? leaderOf(whole) : undefined);
	if (!best) return [];
	const able = new Set(
		whole.filter(({ score }) => score >= PART_SHARE * best.score).map(({ agent }) => agent),
	);
	const named = parts.flatMap((fits) => fits.find((fit) => isEnough(fit) && able.has(fit.agent)) ?? []);
	const names = [...new Set(named.map(({ agent }) => agent))];
	return names.includes(best.agent) ? names.slice(0, MOST_CHOSEN) : [best.agent];
}

function leaderOf([first, second]: readonly AgentFit[]): AgentFit | undefined {
	if (!first || first.score < FOREIGN.score || first.aim < FOREIGN.aim) return undefined;
	return first.score >= FOREIGN.lead * (second?.score ?? 0) ? first : undefined;
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

const MOST_NEAREST = 3;

const MOST_READ = 20;

function rationaleOf(chosen: readonly RankedAgent[], ranked: readonly RankedAgent[], isForeign: boolean) {
	if (chosen.length > 0) return `Selected by what the files of the agents say: ${scored(chosen)}`;
	if (ranked.length === 0) return "There is no agent to choose. Describe one in .github/agents.";
	const nobody = `No agent fits this task; the nearest are ${scored(ranked.slice(0, MOST_NEAREST))}. Name the agent that should do it.`;
	return isForeign ? `${nobody} ${FOREIGN_WORDS}` : nobody;
}

const FOREIGN_WORDS =
	"The files of these agents are in another language than the task: only names and technical terms could be compared.";

function scored(agents: readonly RankedAgent[]): string {
	return agents.map(({ agent, score }) => `${agent.name} (${score.toFixed(2)})`).join(", ");
}
