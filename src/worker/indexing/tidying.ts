/** So long after the last change there is time to tidy up. */
const REST_MS = 5_000;
/** After this many changes it no longer waits for a rest: every change makes searches a little slower. */
const MOST_UNTIDY_CHANGES = 50;

export interface TidyingParts {
	/** Resolves to the milliseconds after which another call can free more; `undefined` if nothing is left. */
	readonly tidy: () => Promise<number | undefined>;
	/** Runs background work when nothing else is at work. */
	readonly whenFree: (work: () => Promise<void>) => Promise<void>;
	readonly onError: (thrown: unknown) => void;
}

/** When an index is tidied up: it leaves nothing behind, and does nothing while nothing changes. */
export type Tidying = ReturnType<typeof createTidying>;

export function createTidying({ tidy, whenFree, onError }: TidyingParts) {
	let changes = 0;
	let isClosed = false;
	let waiting: NodeJS.Timeout | undefined;
	return {
		/** A small change was written: there is something to tidy up soon. */
		changed: () => {
			changes++;
			tidyIn(changes < MOST_UNTIDY_CHANGES ? REST_MS : 0);
		},
		/** Much was written: it is tidied up when nothing else is at work. */
		soon: () => tidyIn(0),
		/** Forgets what is still to be done: the next one who opens the index does it. */
		close: () => {
			isClosed = true;
			clearTimeout(waiting);
		},
	};

	/** Once, and what had to be left then, later. */
	async function now(): Promise<void> {
		if (isClosed) return;
		clearTimeout(waiting);
		changes = 0;
		const leftMs = await tidy();
		// What has changed meanwhile is tidied up anyway.
		if (leftMs !== undefined && changes === 0) tidyIn(leftMs);
	}

	function tidyIn(ms: number): void {
		clearTimeout(waiting);
		if (!isClosed) waiting = setTimeout(() => whenFree(now).catch(onError), ms);
	}
}
