export type Mutex = ReturnType<typeof createMutex>;

export function createMutex() {
	let last: Promise<unknown> = Promise.resolve();
	return {
		run<Result>(step: () => Promise<Result>): Promise<Result> {
			const result = last.then(step);
			// Only the caller gets the error; later steps still run.
			last = result.catch(() => undefined);
			return result;
		},
		async idle() {
			await last;
		},
	};
}
