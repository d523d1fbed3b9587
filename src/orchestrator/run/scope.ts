import type { RunScope } from "../../core/agent/agentEvent.ts";
import { commonTools } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition, ChainStep } from "../../core/agent/chain.ts";

/** What a step may use: never more than its chain, and what its agent's file says. */
export function toolsOf(
	agent: AgentDefinition,
	step: ChainStep,
	scope: RunScope,
): readonly string[] | undefined {
	return commonTools(commonTools(scope.tools, agent.tools), step.tools);
}

/** Agents that a step may start: its handoffs, if its file names any, among those that its chain may start. */
export function agentsOf({ handoffs }: AgentDefinition, { agents }: RunScope): readonly string[] | undefined {
	if (handoffs.length === 0) return agents;
	const named = handoffs.map(({ agent }) => agent);
	return agents ? named.filter((name) => agents.includes(name)) : named;
}
