import type { AgentDefinition } from "../../core/agent/agentDefinition.ts";
import type { Chain } from "../../core/agent/chain.ts";
import type { Selection } from "../select/selectAgents.ts";
import { chainOfNames } from "./chainText.ts";

/** What a person made of a plan: of these agents, in this order, they made that. */
export interface Preference {
	readonly chosen: readonly string[];
	/** Stages of agents, as the person ran them. */
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
	const isUnchanged = isSame(
		stages.map((stage) => stage.join("&")),
		chosen,
	);
	return isUnchanged ? others : [...others, { chosen, stages, at }].slice(-MOST_PREFERENCES);
}

/** The chain for a selection: as the person had it the last time, if all its agents are still there, and why. */
export function chainFor(
	selection: Selection,
	preferences: readonly Preference[],
	agents: readonly AgentDefinition[],
): { readonly chain: Chain; readonly remembered?: string } {
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
