import type { Tool } from "../../core/agent/tool.ts";
import type { TurnTracer } from "./turnTracer.ts";

/** Tools whose calls are measured, for an agent that works for a session. */
export function tracedTools(
	tools: readonly Tool[],
	tracer: Pick<TurnTracer, "call">,
	session: string,
): Tool[] {
	return tools.map((tool) => ({
		...tool,
		run: (input, call) =>
			tracer.call({ title: tool.name, session, input }, call.signal, () => tool.run(input, call)),
	}));
}
