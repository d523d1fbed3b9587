import { setImmediate } from "node:timers/promises";

/** Milliseconds that a long piece of work may hold up the process: a search waits for several such turns. */
const TURN_MS = 1;

/** Lets the other work of the process have its turn in the midst of a long piece. */
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
