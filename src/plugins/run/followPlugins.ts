import type { PluginFiles, PluginRegistry } from "../../core/plugin/plugin.ts";

/** Changes of files may go unnoticed: the user's own folder may not be watched. */
const MAX_AGE_MS = 10_000;

/** What plugins there are, without reading all files for each call. */
export type FollowedPlugins = ReturnType<typeof followPlugins>;

export function followPlugins(
	files: PluginFiles,
	{ now = Date.now, onChange = () => undefined }: { now?: () => number; onChange?: () => void } = {},
) {
	const closing = new AbortController();
	let last: { readonly read: Promise<PluginRegistry>; readonly at: number } | undefined;
	let isWatching = false;
	const forget = () => {
		last = undefined;
	};
	const watch = async () => {
		if (isWatching) return;
		isWatching = true;
		const changed = () => {
			forget();
			onChange();
		};
		// After the worker has ended, the next question starts again.
		await files.watch(changed, closing.signal).catch(() => undefined);
		isWatching = false;
		forget();
	};
	const read = (signal: AbortSignal) =>
		files.registry(signal).catch((thrown: unknown) => {
			forget();
			throw thrown;
		});
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
		forget,
		close: () => closing.abort(),
	};
}
