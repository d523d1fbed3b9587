/** Runs writes one after the other, in the order in which they were asked for. */
export interface WriteQueue {
	run<Result>(write: () => Promise<Result>): Promise<Result>;
	/** Settles when nothing is left to do. */
	idle(): Promise<void>;
}

export function createWriteQueue(): WriteQueue {
	let last: Promise<unknown> = Promise.resolve();
	return {
		run(write) {
			const result = last.then(write);
			// The one who asked is told of the error; the queue goes on.
			last = result.catch(() => undefined);
			return result;
		},
		async idle() {
			await last;
		},
	};
}
