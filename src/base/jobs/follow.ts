/** Changes of files may go unnoticed: the user's own folder may not be watched. */
const MAX_AGE_MS = 10_000;

interface Files<Found> {
	registry(signal: AbortSignal): Promise<Found>;
	/** Ends when nothing is watched any more. */
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
}

/** What some files describe, without reading all of them for each call. */
export type Followed<Found> = ReturnType<typeof follow<Found>>;

export function follow<Found>(
	files: Files<Found>,
	{ now = Date.now, onChange = () => undefined }: { now?: () => number; onChange?: () => void } = {},
) {
	const closing = new AbortController();
	let last: { readonly read: Promise<Found>; readonly at: number } | undefined;
	let isWatching = false;
	let isSeen = false;
	const forget = () => {
		last = undefined;
	};
	const changed = () => {
		forget();
		onChange();
	};
	const watch = async () => {
		if (isWatching) return;
		isWatching = true;
		await files.watch(changed, closing.signal).catch(() => undefined);
		isWatching = false;
		forget();
		// The worker has ended: only a new look notices further changes. One that never answered is left alone.
		if (isSeen && !closing.signal.aborted) onChange();
		isSeen = false;
	};
	const read = async (signal: AbortSignal) => {
		try {
			const found = await files.registry(signal);
			isSeen = true;
			return found;
		} catch (thrown) {
			forget();
			throw thrown;
		}
	};
	return {
		registry: (signal: AbortSignal) => {
			if (last && now() - last.at < MAX_AGE_MS) return last.read;
			void watch();
			// Others may wait for the same: no caller's signal ends it.
			last = { read: read(closing.signal), at: now() };
			return last.read.then((found) => {
				signal.throwIfAborted();
				return found;
			});
		},
		/** Has the next look read the files. */
		forget,
		close: () => closing.abort(),
	};
}
