import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { agentsAt, type NamedAgent, slugOf } from "../../core/agent/agentNames.ts";
import type { AgentDefinition, Chain, ChainStep } from "../../core/agent/chain.ts";

const MOST_STEPS = 20;

/** Finds the agent at an address. Throws NOT_FOUND, or BAD_INPUT if the address is ambiguous. */
export function requireAgent(address: string, agents: readonly AgentDefinition[]): AgentDefinition {
	const [found, ...others] = agentsAt(address, agents);
	if (found && others.length === 0) return found;
	const asked = visibleText(address.slice(0, 100));
	if (found)
		throw new Failure("BAD_INPUT", `“${asked}” means ${namesOf([found, ...others])}: use the whole name.`);
	const there = agents.length > 0 ? `Available: ${namesOf(agents)}.` : "There are none in .github/agents.";
	throw new Failure("NOT_FOUND", `There is no agent “${asked}”. ${there}`);
}

const MOST_NAMED = 10;

function namesOf(agents: readonly AgentDefinition[]): string {
	const names = agents.slice(0, MOST_NAMED).map(({ name }) => name);
	return [...names, ...(agents.length > MOST_NAMED ? ["…"] : [])].join(", ");
}

/** Creates a chain from stages of agent names. The id of each step is the agent's short name, made unique. */
export function chainOfNames(
	stages: readonly (readonly string[])[],
	onFailure: Chain["onFailure"] = "continue",
): Chain {
	const taken = new Set<string>();
	return {
		onFailure,
		stages: stages.map((names) => ({ steps: names.map((agent) => newStep(agent, taken)) })),
	};
}

export function newStep(agent: string, taken: Set<string>): ChainStep {
	return { id: takeId(stepIdOf(agent), taken), agent };
}

export function stepIdOf(agent: string): string {
	return /^[A-Za-z0-9-]+$/.test(agent) ? agent : slugOf(agent);
}

export function takeId(wanted: string, taken: Set<string>): string {
	let id = wanted;
	for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
	taken.add(id);
	return id;
}

/** Parses `a > b & c` (`a`, then `b` and `c` concurrently); `undefined` if the text is no chain of names. */
function readChainText(text: string, agents: readonly NamedAgent[]) {
	const stages = text.split(">").map((stage) => stage.split("&").map((name) => name.trim()));
	const names = stages.flat();
	const isMeant = names.some((name) => agentsAt(name, agents).length > 0);
	return isMeant && names.length <= MOST_STEPS && !names.includes("") ? stages : undefined;
}

/** Reads a request to `/agents`: `task` or `chain: task`. A chain must name at least one known agent. */
export function readAsked(text: string, agents: readonly NamedAgent[]) {
	const task = (head: string) => text.slice(head.length + 1).trim();
	// Whole names are tried first, because a name may contain `:`, `>` or `&`.
	const [name] = agents
		.map((agent) => agent.name)
		.filter((one) => text.startsWith(`${one}:`))
		.sort((a, b) => b.length - a.length);
	if (name !== undefined) return { stages: [[name]], task: task(name) };
	const [, head = ""] = /^([^:\n]{1,1000}):/.exec(text) ?? [];
	const stages = readChainText(head, agents);
	return stages ? { stages, task: task(head) } : { task: text.trim() };
}

/** Replaces short names of agents by their full names. Throws like `requireAgent`. */
export function withAgentNames(chain: Chain, agents: readonly AgentDefinition[]): Chain {
	return {
		...chain,
		stages: chain.stages.map(({ steps, ...stage }) => {
			const named = steps.map((step) => ({ ...step, agent: requireAgent(step.agent, agents).name }));
			return { ...stage, steps: named };
		}),
	};
}

/** Maps names to the agents of a chain. Throws NOT_FOUND if an agent does not exist. */
export function agentsOfChain({ stages }: Chain, agents: readonly AgentDefinition[]) {
	const names = stages.flatMap(({ steps }) => steps.map(({ agent }) => agent));
	return new Map(names.map((name) => [name, requireAgent(name, agents)]));
}
