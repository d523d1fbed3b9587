import { setImmediate } from "node:timers/promises";

/** Milliseconds that a long piece of work may hold up the process. */
const TURN_MS = 4;

/** Lets the other work of the process have its turn in the midst of a long piece. */
export interface Pacer {
	readonly isDue: boolean;
	/** Resolves when the others had their turn. */
	rest(): Promise<void>;
}

export function createPacer(): Pacer {
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
