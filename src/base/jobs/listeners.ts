/** Each listener is removed when its signal is aborted. */
export function createListeners<Change = void>() {
	const listeners = new Set<(change: Change) => void>();
	return {
		tell: (change: Change): void => {
			for (const listener of listeners) listener(change);
		},
		watch: async (onChange: (change: Change) => void, signal: AbortSignal): Promise<void> => {
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
