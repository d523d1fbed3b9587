import type { AgentEvent } from "../../core/agent/agentEvent.ts";

type Show = (event: AgentEvent) => void;

export interface LiveTurns {
	/** Until the function that is returned is called. */
	add(session: string, show: Show): () => void;
	/** Shows and writes down what happens in the turn; `undefined` if none of the session is at work. */
	showIn(session: string): Show | undefined;
	stepsIn(session: string): Set<string>;
}

export function createLiveTurns(): LiveTurns {
	const live = new Map<string, { readonly show: Show; readonly steps: Set<string> }>();
	return {
		add: (session, show) => {
			const turn = { show, steps: new Set<string>() };
			live.set(session, turn);
			return () => void (live.get(session) === turn && live.delete(session));
		},
		showIn: (session) => live.get(session)?.show,
		stepsIn: (session) => live.get(session)?.steps ?? new Set(),
	};
}
