import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { ToolContext } from "../../core/agent/tool.ts";

export function tellSteps({ report }: ToolContext): (event: AgentEvent) => void {
	return (event) => {
		if (event.kind === "stepStarted") report?.(`${event.agent} is at work`);
		if (event.kind === "stepFinished") report?.(`${event.agent}: ${event.outcome}`);
	};
}
