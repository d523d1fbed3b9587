import type { AgentRequest, Runner } from "./agentEvent.ts";
import { mayStartAgents } from "./allowedTools.ts";
import type { StepRequest } from "./stepRunner.ts";

export interface EngineStep {
	readonly session: string;
	readonly chain: string;
	readonly request: StepRequest;
}

/** What steps run on. A runner is for one step, and leaves nothing behind of it. */
export interface StepEngine {
	readonly kind: "cli" | "model";
	runnerFor(step: EngineStep): Runner;
}

export function requestOf({ session, request: { id, agent, prompt, scope } }: EngineStep): AgentRequest {
	const tools = toolsOf(scope);
	return {
		question: prompt,
		history: [],
		session,
		attachments: [],
		agent: { name: agent.name, persona: agent.persona, step: id, ...(tools && { tools }) },
	};
}

/** At the lowest level, nothing is started any more. */
function toolsOf({ tools, limits }: StepRequest["scope"]): readonly string[] | undefined {
	return limits.depth > 0 ? tools : tools?.filter((tool) => !mayStartAgents([tool]));
}
