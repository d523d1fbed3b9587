import { endsWithin } from "./untilAborted.ts";

/** Calls that go on side by side, but not while what they call is exchanged for another. */
export function createGate(patienceMs: number) {
	const calls = new Set<Promise<unknown>>();
	let exchanged: Promise<unknown> = Promise.resolve();
	/** Begins the call when no exchange is under way. */
	const pass = async <Result>(call: () => Promise<Result>): Promise<Result> => {
		for (let last: unknown; last !== exchanged; await last) last = exchanged;
		const result = call();
		calls.add(result);
		try {
			return await result;
		} finally {
			calls.delete(result);
		}
	};
	return {
		pass,
		/** Lets the calls under way end, but waits no longer than its patience; the calls that come meanwhile come after it. */
		exchange: <Result>(step: () => Promise<Result>): Promise<Result> => {
			const result = exchanged.then(async () => {
				await endsWithin(Promise.allSettled(calls), patienceMs);
				return step();
			});
			exchanged = result.catch(() => undefined);
			return result;
		},
	};
}
