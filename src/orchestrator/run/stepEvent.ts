import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { StepResult } from "./stepResult.ts";

export type StepFinished = Extract<AgentEvent, { readonly kind: "stepFinished" }>;

/** A result as its event has it; `resultOf` in `earlierRun.ts` reads it back. */
export function eventOf(result: StepResult): StepFinished {
	const { step, agent, outcome, output: text, executedAt, citations, focusAreas } = result;
	const { hasChanged, isCached, spent, refused } = result;
	return {
		kind: "stepFinished",
		step,
		agent,
		outcome,
		text,
		citations,
		focusAreas,
		executedAt,
		...(hasChanged && { hasChanged }),
		...(isCached && { isCached }),
		...(spent && { spent }),
		...(refused && { refused }),
	};
}
