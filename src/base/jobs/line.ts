export interface Waiting {
	readonly signal: AbortSignal;
	/** Called with the number of jobs ahead if the job must wait. `goFirst` returns false if the job no longer waits. */
	onWait?(ahead: number, goFirst: () => boolean): void;
}

export type Line = ReturnType<typeof createLine>;

/** A queue that runs one job at a time. Unlike with a mutex, a waiting job can leave or move to the front. */
export function createLine() {
	const waiting: (() => void)[] = [];
	let isBusy = false;
	const take = (begin: () => void) => {
		const index = waiting.indexOf(begin);
		if (index >= 0) waiting.splice(index, 1);
		return index >= 0;
	};
	const goFirst = (begin: () => void) => {
		const isWaiting = take(begin);
		if (isWaiting) waiting.unshift(begin);
		return isWaiting;
	};
	const untilFree = async ({ signal, onWait }: Waiting) => {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		waiting.push(resolve);
		onWait?.(waiting.indexOf(resolve) + 1, () => goFirst(resolve));
		// If the job's turn has just come, `run` checks the signal instead.
		const leave = () => take(resolve) && reject(signal.reason);
		signal.addEventListener("abort", leave, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", leave));
	};
	const next = () => {
		const begin = waiting.shift();
		if (begin) begin();
		else isBusy = false;
	};
	return {
		/** Rejects with the signal's reason if the signal is aborted before the job begins. */
		run: async <Result>(job: () => Promise<Result>, wait: Waiting): Promise<Result> => {
			wait.signal.throwIfAborted();
			if (isBusy) await untilFree(wait);
			else isBusy = true;
			try {
				wait.signal.throwIfAborted();
				return await job();
			} finally {
				next();
			}
		},
		isBusy: () => isBusy,
	};
}
