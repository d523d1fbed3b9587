export type Semaphore = ReturnType<typeof createSemaphore>;

/** Lets in a limited number at once; the others wait in order of arrival. */
export function createSemaphore(places: number) {
	const waiting: (() => void)[] = [];
	let free = places;
	return {
		run: async <Result>(action: () => Promise<Result>): Promise<Result> => {
			if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
			else free--;
			try {
				return await action();
			} finally {
				const next = waiting.shift();
				if (next) next();
				else free++;
			}
		},
	};
}
