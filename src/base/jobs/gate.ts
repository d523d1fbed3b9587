import { endsWithin } from "./untilAborted.ts";

/** Allows parallel calls to a resource, but none while the resource is being replaced. */
export function createGate(patienceMs: number) {
	const calls = new Set<Promise<unknown>>();
	let exchanged: Promise<unknown> = Promise.resolve();
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
		/** Runs `step` after the current calls end or `patienceMs` passes. Later calls wait until `step` ends. */
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
