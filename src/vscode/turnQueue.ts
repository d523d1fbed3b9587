import { untilAborted } from "./cancellation.ts";

/** Lets the turns of one session follow each other: a message that comes during a turn waits for its end. */
export interface TurnQueue {
	/** Runs an action when no earlier one of the session is at work; `onWait` is called where it has to wait. */
	run<Result>(
		session: string,
		turn: { readonly signal: AbortSignal; onWait(): void; action(): Promise<Result> },
	): Promise<Result>;
}

export function createTurnQueue(): TurnQueue {
	/** Resolves when all turns of the session so far are over. */
	const ends = new Map<string, Promise<unknown>>();
	return {
		run: async (session, { signal, onWait, action }) => {
			const before = ends.get(session);
			const own = Promise.withResolvers<void>();
			const end = Promise.all([before, own.promise]).then(() => {
				if (ends.get(session) === end) ends.delete(session);
			});
			ends.set(session, end);
			try {
				if (before !== undefined) {
					onWait();
					await untilAborted(before, signal);
				}
				return await action();
			} finally {
				own.resolve();
			}
		},
	};
}
