import type { Middleware } from "../../agent/loop/runTurn.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";

/** An engine that a plugin asks: its calls are shown in the turn that the plugin was called in, under the plugin's name. */
export function callsWithin(show: (event: AgentEvent) => void): Middleware {
	return ({ request }) => {
		const [within = ""] = request.agent?.name.split(":") ?? [];
		return {
			note: (event) => {
				const isCall = event.kind === "toolStarted" || event.kind === "toolFinished";
				// Makes ids unique: a model numbers its calls without regard to others.
				if (isCall && within !== "")
					show({ ...event, within, call: { ...event.call, id: `${within}/${event.call.id}` } });
			},
		};
	};
}
