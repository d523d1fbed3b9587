import type { AgentEvent } from "../../core/agent/agentEvent.ts";

type Show = (event: AgentEvent) => void;

export type LiveTurns = ReturnType<typeof createLiveTurns>;

export function createLiveTurns() {
	const live = new Map<string, { readonly show: Show; readonly steps: Set<string> }>();
	return {
		/** Until the function that is returned is called. */
		add: (session: string, show: Show) => {
			const turn = { show, steps: new Set<string>() };
			live.set(session, turn);
			return () => void (live.get(session) === turn && live.delete(session));
		},
		/** Shows and writes down what happens in the turn; `undefined` if none of the session is at work. */
		showIn: (session: string) => live.get(session)?.show,
		stepsIn: (session: string) => live.get(session)?.steps ?? new Set(),
	};
}
