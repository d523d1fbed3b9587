import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentDefinition, Chain, ChainStep } from "../../core/agent/chain.ts";

const NAME = /^[A-Za-z0-9-]+$/;

const MOST_STEPS = 20;

export function isAgentName(name: string): boolean {
	return name.length <= 100 && NAME.test(name);
}

/** The agent with a name. Rejects with NOT_FOUND, and with names that there are. */
export function requireAgent(name: string, agents: readonly AgentDefinition[]): AgentDefinition {
	const found = isAgentName(name) ? agents.find((agent) => agent.name === name) : undefined;
	if (found) return found;
	const names = agents.slice(0, 10).map((agent) => agent.name);
	const there = names.length > 0 ? `Available: ${names.join(", ")}.` : "There are none in .github/agents.";
	throw new Failure("NOT_FOUND", `There is no agent “${visibleText(name.slice(0, 100))}”. ${there}`);
}

/** Stages of agents in sequence. Steps have the names of their agents, numbered if one appears again. */
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
	return { id: takeId(agent, taken), agent };
}

export function takeId(wanted: string, taken: Set<string>): string {
	let id = wanted;
	for (let count = 2; taken.has(id); count++) id = `${wanted}-${count}`;
	taken.add(id);
	return id;
}

/** `a > b & c`: first `a`, then `b` beside `c`; `undefined` if it is not a chain of names. */
export function readChainText(text: string): readonly (readonly string[])[] | undefined {
	const stages = text.split(">").map((stage) => stage.split("&").map((name) => name.trim()));
	const names = stages.flat();
	return names.length <= MOST_STEPS && names.every(isAgentName) ? stages : undefined;
}

/**
 * Reads a request to `/agents`: a chain or one agent before a colon, or a task alone. A single word before the colon is
 * an agent only if one has that name.
 */
export function readAsked(
	text: string,
	agents: readonly Pick<AgentDefinition, "name">[],
): { readonly stages?: readonly (readonly string[])[]; readonly task: string } {
	const [, head = "", task = ""] = /^([^:\n]{1,1000}):\s*([\s\S]*)$/.exec(text) ?? [];
	const stages = head === "" ? undefined : readChainText(head);
	const isMeant = /[>&]/.test(head) || agents.some(({ name }) => name === head.trim());
	return stages && isMeant ? { stages, task: task.trim() } : { task: text.trim() };
}

/** Every agent of a chain, by its name. Rejects with NOT_FOUND at the first that there is not. */
export function agentsOfChain(
	{ stages }: Pick<Chain, "stages">,
	agents: readonly AgentDefinition[],
): ReadonlyMap<string, AgentDefinition> {
	const names = stages.flatMap(({ steps }) => steps.map(({ agent }) => agent));
	return new Map(names.map((name) => [name, requireAgent(name, agents)]));
}
