/** Runs steps one after the other, in the order in which they were asked for. */
export interface Mutex {
	run<Result>(step: () => Promise<Result>): Promise<Result>;
	/** Settles when nothing is left to do. */
	idle(): Promise<void>;
}

export function createMutex(): Mutex {
	let last: Promise<unknown> = Promise.resolve();
	return {
		run(step) {
			const result = last.then(step);
			// The caller gets the error; later steps go on.
			last = result.catch(() => undefined);
			return result;
		},
		async idle() {
			await last;
		},
	};
}
