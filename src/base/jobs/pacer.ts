import { setImmediate } from "node:timers/promises";

/** Maximum milliseconds of uninterrupted work. Searches may wait for several such turns. */
const TURN_MS = 1;

/** Lets a long computation yield to other work of the process. */
export type Pacer = ReturnType<typeof createPacer>;

export function createPacer() {
	let startedMs = performance.now();
	return {
		get isDue() {
			return performance.now() - startedMs > TURN_MS;
		},
		async rest() {
			await setImmediate();
			startedMs = performance.now();
		},
	};
}
