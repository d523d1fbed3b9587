import { untilAborted } from "../../base/jobs/untilAborted.ts";
/** Work that several callers may wait for. It is canceled when the last of them has left. */
export interface SharedRun<Progress, Result> {
	/** Whether one may still join: it is neither over nor cancelled. */
	readonly isOpen: boolean;
	/** Rejects at once when the signal aborts. */
	join(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Result>;
}

/** Starts the work at once. */
export function shareRun<Progress, Result>(
	work: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>,
): SharedRun<Progress, Result> {
	const controller = new AbortController();
	const listeners = new Set<(progress: Progress) => void>();
	let isOver = false;
	const result = work((progress) => {
		for (const listener of listeners) listener(progress);
	}, controller.signal).finally(() => {
		isOver = true;
	});
	return {
		get isOpen() {
			return !isOver && !controller.signal.aborted;
		},
		join,
	};

	async function join(onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Result> {
		// Each has a listener of its own, even where two give the same function.
		const listener = (progress: Progress) => onProgress(progress);
		listeners.add(listener);
		try {
			return await untilAborted(result, signal);
		} finally {
			listeners.delete(listener);
			if (listeners.size === 0) controller.abort();
		}
	}
}
