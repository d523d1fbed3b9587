/** Puts off what follows from typing until there is a pause. */
export interface Debounce {
	run(action: () => void): void;
	/** Does now what was put off. */
	flush(): void;
	cancel(): void;
}

export function createDebounce(milliseconds: number): Debounce {
	let waiting: { readonly timer: ReturnType<typeof setTimeout>; readonly action: () => void } | undefined;
	const take = () => {
		const taken = waiting;
		if (taken) clearTimeout(taken.timer);
		waiting = undefined;
		return taken;
	};
	return {
		run: (action) => {
			take();
			waiting = { timer: setTimeout(() => take()?.action(), milliseconds), action };
		},
		flush: () => take()?.action(),
		cancel: take,
	};
}
