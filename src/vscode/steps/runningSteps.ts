/** The steps of chains that are at work in this window, by their sessions: several chains may belong to one chat. */
export interface RunningSteps {
	/** Until the function that is returned is called. */
	add(session: string, stop: () => void): () => void;
	stop(session: string): boolean;
}

export function createRunningSteps(): RunningSteps {
	const running = new Map<string, () => void>();
	return {
		add: (session, stop) => {
			running.set(session, stop);
			return () => void running.delete(session);
		},
		stop: (session) => {
			const stop = running.get(session);
			stop?.();
			return stop !== undefined;
		},
	};
}
