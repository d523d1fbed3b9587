import { setTimeout } from "node:timers/promises";

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after this time, or as soon as the signal is aborted. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: Date.now,
	wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => undefined),
};
