import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";

/** An engine that a plugin asks: what it calls is told to the turn that the plugin was called in, under its name. */
export function callsWithin(run: Runner, tell: ((event: AgentEvent) => void) | undefined): Runner {
	return async function* runWithin(request, signal) {
		const [within = ""] = request.agent?.name.split(":") ?? [];
		for await (const event of run(request, signal)) {
			const isCall = event.kind === "toolStarted" || event.kind === "toolFinished";
			// A model numbers its calls without a look at those of others.
			if (isCall && within !== "")
				tell?.({ ...event, within, call: { ...event.call, id: `${within}/${event.call.id}` } });
			yield event;
		}
	};
}
