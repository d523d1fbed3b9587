/** Passes a value on when the last one that was passed is old enough; the others are dropped. */
export function throttle<Value>(
	listener: (value: Value) => void,
	intervalMs: number,
): (value: Value) => void {
	let lastMs = Number.NEGATIVE_INFINITY;
	return (value) => {
		const nowMs = performance.now();
		if (nowMs - lastMs < intervalMs) return;
		lastMs = nowMs;
		listener(value);
	};
}
