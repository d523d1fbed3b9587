export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after this time, or as soon as the signal is aborted. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: Date.now,
	wait: (milliseconds, signal) =>
		new Promise((resolve) => {
			if (signal.aborted) return resolve();
			const end = () => {
				clearTimeout(timer);
				signal.removeEventListener("abort", end);
				resolve();
			};
			const timer = setTimeout(end, milliseconds);
			signal.addEventListener("abort", end);
		}),
};
