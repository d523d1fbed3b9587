import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Decision } from "../../core/permission/permission.ts";
import type { Transcript } from "../../core/session/session.ts";
import { translated } from "../reported.ts";

/** What is stored has our own words in English; a person reads them in the language of the window. */
export function toldDecision(decision: Decision): Decision {
	const { request } = decision;
	return { ...decision, request: { ...request, title: translated(request.title) } };
}

export function toldTranscript({ session, turns, ...others }: Transcript): Transcript {
	const told = turns.map(({ events, error, ...turn }) => ({
		...turn,
		events: events.map(toldEvent),
		...(error !== undefined && { error: translated(error) }),
	}));
	return { ...others, session, turns: told };
}

function toldEvent(event: AgentEvent): AgentEvent {
	if (event.kind === "notice") return { ...event, text: translated(event.text) };
	return event.kind === "permission" ? { ...event, title: translated(event.title) } : event;
}
