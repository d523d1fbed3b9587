/** The steps of chains that are at work in this window, by their sessions: several chains may belong to one chat. */
export type RunningSteps = ReturnType<typeof createRunningSteps>;

export function createRunningSteps() {
	const running = new Map<string, () => void>();
	return {
		/** Until the function that is returned is called. */
		add: (session: string, stop: () => void) => {
			running.set(session, stop);
			return () => void running.delete(session);
		},
		stop: (session: string) => {
			const stop = running.get(session);
			stop?.();
			return stop !== undefined;
		},
	};
}
