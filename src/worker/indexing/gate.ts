import { untilAborted } from "../../base/jobs/untilAborted.ts";

/** Where work waits while it is paused. */
export interface Gate {
	readonly isClosed: boolean;
	setClosed(closed: boolean): void;
	/** Resolves when the gate is open; rejects with the signal's reason. */
	pass(signal: AbortSignal): Promise<void>;
}

export function createGate(): Gate {
	let closed: PromiseWithResolvers<void> | undefined;
	return {
		get isClosed() {
			return closed !== undefined;
		},
		setClosed: (next) => {
			if (next) closed ??= Promise.withResolvers<void>();
			else {
				closed?.resolve();
				closed = undefined;
			}
		},
		pass: async (signal) => {
			signal.throwIfAborted();
			// It may be closed again before the one who waited comes through.
			while (closed) await untilAborted(closed.promise, signal);
		},
	};
}
