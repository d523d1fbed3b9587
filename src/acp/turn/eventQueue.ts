/** Events from one side, an iteration on the other. */
export interface EventQueue<T> extends AsyncIterable<T> {
	push(...items: readonly T[]): void;
	end(): void;
	/** The iteration gives what is there, and then throws. */
	fail(thrown: unknown): void;
}

export function createEventQueue<T>(): EventQueue<T> {
	let items: T[] = [];
	let last: { readonly thrown?: unknown } | undefined;
	let wake = Promise.withResolvers<void>();
	const close = (how: { readonly thrown?: unknown }) => {
		last ??= how;
		wake.resolve();
	};
	return {
		push: (...more) => {
			if (last) return;
			items.push(...more);
			wake.resolve();
		},
		end: () => close({}),
		fail: (thrown) => close({ thrown }),
		async *[Symbol.asyncIterator]() {
			for (;;) {
				const batch = items;
				items = [];
				yield* batch;
				if (items.length > 0) continue;
				if (last) break;
				await wake.promise;
				wake = Promise.withResolvers<void>();
			}
			if ("thrown" in last) throw last.thrown;
		},
	};
}
