/** One turn after the other: to a second prompt, the CLI would give up the first. */
export interface TurnQueue {
	/** Runs the job when its turn has come. Rejects with the signal's reason where it is aborted before. */
	run<T>(job: () => Promise<T>, wait: Waiting): Promise<T>;
	isBusy(): boolean;
}

export interface Waiting {
	readonly signal: AbortSignal;
	/** Goes before all that wait. */
	readonly first?: boolean;
	/** Told how many are ahead; not where it runs at once. */
	onWait?(ahead: number): void;
}

export function createTurnQueue(): TurnQueue {
	const waiting: (() => void)[] = [];
	let isBusy = false;
	const whenFree = async ({ signal, first = false, onWait }: Waiting) => {
		signal.throwIfAborted();
		if (!isBusy) {
			isBusy = true;
			return;
		}
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		onWait?.(first ? 1 : waiting.length + 1);
		if (first) waiting.unshift(resolve);
		else waiting.push(resolve);
		const leave = () => {
			const index = waiting.indexOf(resolve);
			// Its turn may have come in this very moment; then it runs, and sees the signal itself.
			if (index < 0) return;
			waiting.splice(index, 1);
			reject(signal.reason);
		};
		signal.addEventListener("abort", leave, { once: true });
		await promise.finally(() => signal.removeEventListener("abort", leave));
	};
	const leave = () => {
		const next = waiting.shift();
		if (next) next();
		else isBusy = false;
	};
	return {
		run: async (job, wait) => {
			await whenFree(wait);
			try {
				wait.signal.throwIfAborted();
				return await job();
			} finally {
				leave();
			}
		},
		isBusy: () => isBusy,
	};
}
