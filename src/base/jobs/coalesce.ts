/** Merges calls into one running and one queued step. Each caller waits for a step that began after the call. */
export function coalesce(step: () => Promise<void>): () => Promise<void> {
	let running: Promise<void> | undefined;
	let waiting: Promise<void> | undefined;
	const start = () => {
		waiting = undefined;
		running = step().finally(() => {
			running = undefined;
		});
		return running;
	};
	return () => {
		if (!running) return start();
		// Ignore an error of the running step: only the callers of that step receive it.
		waiting ??= running.catch(() => undefined).then(start);
		return waiting;
	};
}

/** Limits calls of a listener to one per interval; drops the other values. */
export function throttle<Value>(listener: (value: Value) => void, intervalMs: number) {
	let lastMs = Number.NEGATIVE_INFINITY;
	return (value: Value) => {
		const nowMs = performance.now();
		if (nowMs - lastMs < intervalMs) return;
		lastMs = nowMs;
		listener(value);
	};
}
