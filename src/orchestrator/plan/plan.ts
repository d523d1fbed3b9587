import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import type { RunScope } from "../../core/agent/agentEvent.ts";
import { onlyRead } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition, Chain, Task } from "../../core/agent/chain.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Refinement } from "../evaluate/refine.ts";
import { toolsOf } from "../run/scope.ts";
import { stepPrompt } from "../run/stepPrompt.ts";
import type { Selection } from "../select/selectAgents.ts";
import { agentsOfChain, chainOfNames } from "./chainText.ts";

export interface Plan {
	readonly task: Task;
	readonly evaluation: Evaluation;
	readonly chain: Chain;
	readonly steps: readonly PlannedStep[];
	readonly rationale: string;
	readonly tokens: number;
}

interface PlannedStep {
	readonly id: string;
	/** Index of the stage, starting at 0. */
	readonly stage: number;
	readonly agent: AgentDefinition;
	readonly why: readonly string[];
	/** Names of the step's tools; missing if the step may use every tool that the rules allow. */
	readonly tools?: readonly string[];
	readonly mayChange: boolean;
	readonly tokens: number;
	readonly prompt: string;
}

export interface Judgement {
	readonly evaluation: Evaluation;
	readonly refinement: Refinement;
	readonly selection: Selection;
}

export interface PlanInputs extends Judgement {
	readonly scope: RunScope;
	readonly agents: readonly AgentDefinition[];
	/** Whether the agents were selected, so that the user's changes can be remembered. */
	readonly isSelected: boolean;
}

interface Planned {
	readonly chain: Chain;
	/** Sentence about an earlier change by the user that shaped this chain. */
	readonly remembered?: string;
}

const ANSWER_TOKENS = 500;

/** Throws NOT_FOUND if the chain names an unknown agent. */
export function planChain(inputs: PlanInputs, { chain, remembered = "" }: Planned): Plan {
	const { evaluation, refinement, isSelected, selection } = inputs;
	const agents = agentsOfChain(chain, inputs.agents);
	const { isClear, prompt } = evaluation;
	const task = { prompt, refined: refinement.prompt, isClear, changes: refinement.changes };
	const steps = chain.stages.flatMap(({ steps: own }, stage) =>
		own.flatMap((step): PlannedStep[] => {
			const agent = agents.get(step.agent);
			if (!agent) return [];
			const tools = toolsOf(agent, step, inputs.scope);
			const before = chain.stages.slice(0, stage).flatMap((earlier) => earlier.steps);
			const gaps = before.map(({ id, agent: by }) => ({ id, agent: by, output: `(the answer of ${by})` }));
			const outputs = new Map(gaps.map(({ id, output }) => [id, output]));
			const asked = { task: task.refined, own: step.prompt, outputs };
			return [
				{
					id: step.id,
					stage,
					agent,
					why: whyOf(agent, inputs),
					...(tools && { tools }),
					mayChange: !onlyRead(tools),
					tokens: estimate(agent, step.prompt ?? task.refined, before.length),
					prompt: stepPrompt(asked, agent, gaps),
				},
			];
		}),
	);
	const reason = isSelected ? selection.rationale : "The chain is as you named it.";
	const tokens = steps.reduce((sum, step) => sum + step.tokens, 0);
	return { task, evaluation, chain, steps, rationale: `${reason} ${remembered}`.trim(), tokens };
}

function whyOf({ name }: AgentDefinition, { isSelected, selection }: PlanInputs): readonly string[] {
	const ranked = selection.ranked.find(({ agent }) => agent.name === name);
	if (!isSelected || !ranked) return ["you named it"];
	if (!selection.chosen.includes(ranked)) return ["you added it"];
	return [`it fits with ${ranked.score} of 1`, ...ranked.because];
}

function estimate({ persona, description }: AgentDefinition, prompt: string, before: number): number {
	const characters = persona.length + description.length + prompt.length;
	return Math.ceil(characters / CHARACTERS_PER_TOKEN) + before * ANSWER_TOKENS + ANSWER_TOKENS;
}

/** A user's change to a plan: the user's own order of the selected agents. */
export interface Preference {
	readonly chosen: readonly string[];
	readonly stages: readonly (readonly string[])[];
	/** Milliseconds since 1970. */
	readonly at: number;
}

const MOST_PREFERENCES = 100;

export function withPreference(
	preferences: readonly Preference[],
	selection: Selection,
	{ chain, at }: { readonly chain: Chain; readonly at: number },
): readonly Preference[] {
	const chosen = namesOf(selection);
	const stages = chain.stages.map(({ steps }) => steps.map(({ agent }) => agent));
	const others = preferences.filter((preference) => !isSame(preference.chosen, chosen));
	const run = stages.map((stage) => stage.join("&"));
	return isSame(run, chosen) ? others : [...others, { chosen, stages, at }].slice(-MOST_PREFERENCES);
}

/** Uses the user's last order of the selected agents if all of that order's agents still exist. */
export function chainFor(
	selection: Selection,
	preferences: readonly Preference[],
	agents: readonly AgentDefinition[],
): Planned {
	const chosen = namesOf(selection);
	const known = new Set(agents.map(({ name }) => name));
	const preference = preferences.findLast((one) => isSame(one.chosen, chosen));
	const isUsable = preference?.stages.flat().every((name) => known.has(name)) ?? false;
	if (!preference || !isUsable) return { chain: chainOfNames(chosen.map((name) => [name])) };
	const day = new Date(preference.at).toISOString().slice(0, 10);
	const order = preference.stages.map((stage) => stage.join(" & ")).join(" > ");
	return {
		chain: chainOfNames(preference.stages),
		remembered: `On ${day} you changed ${chosen.join(" > ")} to ${order}, so it is planned that way again.`,
	};
}

function namesOf({ chosen }: Selection): string[] {
	return chosen.map(({ agent }) => agent.name);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((name, index) => name === other[index]);
}
