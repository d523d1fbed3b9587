/** What is waited for, or the reason of the signal, whichever comes first. What is not waited for any more goes on. */
export async function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener("abort", abort);
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
