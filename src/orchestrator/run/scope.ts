import { numeral } from "../../base/text/plural.ts";
import type { RunScope } from "../../core/agent/agentEvent.ts";
import { commonTools } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition, ChainStep } from "../../core/agent/chain.ts";
import type { Clock } from "./clock.ts";

export type Budget = ReturnType<typeof createBudget>;

export function createBudget({ limits, onSpent }: RunScope, clock: Clock) {
	const endsAt = clock.now() + limits.time;
	const out = new AbortController();
	let tokens = limits.tokens;
	return {
		/** Aborted when there is nothing left of the tokens. */
		spent: out.signal,
		/** Counts here and in everything above. */
		spend: (count: number) => {
			tokens -= count;
			onSpent?.(count);
			if (tokens <= 0) out.abort();
		},
		left: () => ({ ...limits, tokens: Math.max(0, tokens), time: Math.max(0, endsAt - clock.now()) }),
		/** Why nothing more may start, for the user; `undefined` while some budget is left. */
		shortage: () => {
			// An estimate that stopped the run may be corrected later: it is stopped all the same.
			if (out.signal.aborted) return `The ${numeral(limits.tokens)} tokens of the run are spent.`;
			if (clock.now() >= endsAt)
				return `The run reached its time limit of ${Math.round(limits.time / 1000)} s.`;
			return undefined;
		},
	};
}

/** What a step may use: never more than its chain, and what its agent's file says. */
export function toolsOf(agent: AgentDefinition, step: ChainStep, scope: RunScope) {
	return commonTools(commonTools(scope.tools, agent.tools), step.tools);
}

/** Agents that a step may start: its handoffs, if its file names any, among those that its chain may start. */
export function agentsOf({ handoffs }: AgentDefinition, { agents }: RunScope): readonly string[] | undefined {
	if (handoffs.length === 0) return agents;
	return agents ? handoffs.filter((name) => agents.includes(name)) : handoffs;
}
