/** Runs steps one after the other, in the order in which they were asked for. */
export type Mutex = ReturnType<typeof createMutex>;

export function createMutex() {
	let last: Promise<unknown> = Promise.resolve();
	return {
		run<Result>(step: () => Promise<Result>): Promise<Result> {
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
