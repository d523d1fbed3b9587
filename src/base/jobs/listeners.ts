/** Who wants to hear of changes, each until a signal is aborted. */
export interface Listeners {
	tell(): void;
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
}

export function createListeners(): Listeners {
	const listeners = new Set<() => void>();
	return {
		tell: () => {
			for (const listener of listeners) listener();
		},
		watch: async (onChange, signal) => {
			const { promise: ended, resolve: end } = Promise.withResolvers<void>();
			signal.addEventListener("abort", () => end(), { once: true });
			if (signal.aborted) return;
			// One listener may stand for several watches.
			const listener = () => onChange();
			listeners.add(listener);
			await ended;
			listeners.delete(listener);
		},
	};
}
