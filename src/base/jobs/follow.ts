/** Maximum age of a cached result, because changes in unwatched folders go unnoticed. */
const MAX_AGE_MS = 10_000;

interface Files<Found> {
	registry(signal: AbortSignal): Promise<Found>;
	/** Resolves when watching stops. */
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
}

export type Followed<Found> = ReturnType<typeof follow<Found>>;

export function follow<Found>(
	files: Files<Found>,
	{ onChange = () => undefined }: { onChange?: () => void } = {},
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
		// The worker ended. Clients that have read before must read again, or they would miss further changes.
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
		registry: (signal?: AbortSignal) => {
			if (last && Date.now() - last.at < MAX_AGE_MS) return last.read;
			void watch();
			// Other callers may share this read, so no single caller's signal may end it.
			last = { read: read(closing.signal), at: Date.now() };
			return last.read.then((found) => {
				signal?.throwIfAborted();
				return found;
			});
		},
		forget,
		close: () => closing.abort(),
	};
}
