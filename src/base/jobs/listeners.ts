/** Listeners for changes, each until its signal is aborted. */
export interface Listeners<Change> {
	tell(change: Change): void;
	watch(onChange: (change: Change) => void, signal: AbortSignal): Promise<void>;
}

export function createListeners<Change = void>(): Listeners<Change> {
	const listeners = new Set<(change: Change) => void>();
	return {
		tell: (change) => {
			for (const listener of listeners) listener(change);
		},
		watch: async (onChange, signal) => {
			const { promise: ended, resolve: end } = Promise.withResolvers<void>();
			signal.addEventListener("abort", () => end(), { once: true });
			if (signal.aborted) return;
			// A new function each time, because the same listener may watch several times.
			const listener = (change: Change) => onChange(change);
			listeners.add(listener);
			await ended;
			listeners.delete(listener);
		},
	};
}
