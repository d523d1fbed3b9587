/** Idle time after the last change before the index is tidied. */
const REST_MS = 5_000;
/** After this many changes, tidying does not wait for idle time: every change slows searches a little. */
const MOST_UNTIDY_CHANGES = 50;

export type Tidying = ReturnType<typeof createTidying>;

/** `tidy` resolves to the milliseconds after which another call can free more space, if any. */
export function createTidying(
	tidy: () => Promise<number | undefined>,
	whenFree: (work: () => Promise<void>) => Promise<void>,
	onError: (thrown: unknown) => void,
) {
	let changes = 0;
	let isClosed = false;
	let waiting: NodeJS.Timeout | undefined;
	return {
		changed: () => {
			changes++;
			tidyIn(changes < MOST_UNTIDY_CHANGES ? REST_MS : 0);
		},
		soon: () => tidyIn(0),
		/** Cancels pending work, which the next process that opens the index does. */
		close: () => {
			isClosed = true;
			clearTimeout(waiting);
		},
	};

	/** Tidies now, and again later if some files could not be freed yet. */
	async function now(): Promise<void> {
		if (isClosed) return;
		clearTimeout(waiting);
		changes = 0;
		const leftMs = await tidy();
		// If the index changed in the meantime, tidying is already scheduled.
		if (leftMs !== undefined && changes === 0) tidyIn(leftMs);
	}

	function tidyIn(ms: number): void {
		clearTimeout(waiting);
		if (!isClosed) waiting = setTimeout(() => whenFree(now).catch(onError), ms);
	}
}
