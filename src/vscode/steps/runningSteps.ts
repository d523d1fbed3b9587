/** The steps of chains that are at work in this window. */
export interface RunningSteps {
	/** Until the function that is returned is called. */
	add(step: { readonly chain: string; readonly step: string }, stop: () => void): () => void;
	/** Ends a step; returns whether there was one at work. */
	stop(chain: string, step: string): boolean;
}

export function createRunningSteps(): RunningSteps {
	const running = new Map<string, () => void>();
	const keyOf = (chain: string, step: string) => JSON.stringify([chain, step]);
	return {
		add: ({ chain, step }, stop) => {
			const key = keyOf(chain, step);
			running.set(key, stop);
			return () => void (running.get(key) === stop && running.delete(key));
		},
		stop: (chain, step) => {
			const stop = running.get(keyOf(chain, step));
			stop?.();
			return stop !== undefined;
		},
	};
}
