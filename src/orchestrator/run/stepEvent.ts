import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { StepResult } from "./stepResult.ts";

export type StepFinished = Extract<AgentEvent, { readonly kind: "stepFinished" }>;

/** A result as its event has it; `resultOf` in `earlierRun.ts` reads it back. */
export function eventOf(result: StepResult): StepFinished {
	const { output: text, hasChanged, isLoose: _, ...others } = result;
	return { kind: "stepFinished", text, ...others, ...(hasChanged && { hasChanged }) };
}
