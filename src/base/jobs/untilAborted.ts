import { addAbortListener } from "node:events";
import { setTimeout } from "node:timers/promises";

/** Settles with the promise, or rejects with the signal's reason if aborted first. Does not stop the work. */
export async function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	using _ = addAbortListener(signal, () => reject(signal.reason));
	return await Promise.race([promise, aborted]);
}

/** Whether a promise is fulfilled within a time. Rejects if the promise rejects or a signal is aborted. */
export async function endsWithin(
	promise: Promise<unknown>,
	milliseconds: number,
	...signals: readonly AbortSignal[]
): Promise<boolean> {
	const ended = new AbortController();
	const timer = setTimeout(milliseconds, false, { signal: AbortSignal.any([...signals, ended.signal]) });
	try {
		return await Promise.race([timer, promise.then(() => true)]);
	} finally {
		ended.abort();
		timer.catch(() => undefined);
	}
}

export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
	return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
