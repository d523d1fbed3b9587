import type { AgentEvent } from "../../core/agent/agentEvent.ts";

type Show = (event: AgentEvent) => void;

/** The turns that are at work in this window, by their sessions. */
export interface LiveTurns {
	/** Until the function that is returned is called. */
	add(session: string, show: Show): () => void;
	/** Shows and writes down what happens in the turn; `undefined` where none of the session is at work. */
	showIn(session: string): Show | undefined;
}

export function createLiveTurns(): LiveTurns {
	const live = new Map<string, Show>();
	return {
		add: (session, show) => {
			live.set(session, show);
			return () => void (live.get(session) === show && live.delete(session));
		},
		showIn: (session) => live.get(session),
	};
}
