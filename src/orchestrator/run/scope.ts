import { pause } from "../../base/jobs/untilAborted.ts";
import { numeral } from "../../base/text/plural.ts";
import type { RunScope } from "../../core/agent/agentEvent.ts";
import { commonTools } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition, ChainStep } from "../../core/agent/chain.ts";

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after the given time, or as soon as the signal aborts. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: Date.now, wait: pause };

export type Budget = ReturnType<typeof createBudget>;

export function createBudget({ limits, onSpent }: RunScope, clock: Clock) {
	const endsAt = clock.now() + limits.time;
	const out = new AbortController();
	let tokens = limits.tokens;
	return {
		spent: out.signal,
		/** Deducts tokens from this budget and from the budgets of all callers. */
		spend: (count: number) => {
			tokens -= count;
			onSpent?.(count);
			if (tokens <= 0) out.abort();
		},
		left: () => ({ ...limits, tokens: Math.max(0, tokens), time: Math.max(0, endsAt - clock.now()) }),
		/** Explains to the user why no step may start; `undefined` while the budget suffices. */
		shortage: () => {
			// A stopped run stays stopped even if its estimate is corrected later.
			if (out.signal.aborted) return `The ${numeral(limits.tokens)} tokens of the run are spent.`;
			if (clock.now() >= endsAt)
				return `The run reached its time limit of ${Math.round(limits.time / 1000)} s.`;
			return undefined;
		},
	};
}

export function toolsOf(agent: AgentDefinition, step: ChainStep, scope: RunScope) {
	return commonTools(commonTools(scope.tools, agent.tools), step.tools);
}

/** Agents that a step may start: those of its chain, limited to the agent's handoffs if it has any. */
export function agentsOf({ handoffs }: AgentDefinition, { agents }: RunScope): readonly string[] | undefined {
	if (handoffs.length === 0) return agents;
	return agents ? handoffs.filter((name) => agents.includes(name)) : handoffs;
}
