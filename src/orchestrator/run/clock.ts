import { pause } from "../../base/jobs/untilAborted.ts";

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after the given time, or as soon as the signal aborts. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: Date.now, wait: pause };
