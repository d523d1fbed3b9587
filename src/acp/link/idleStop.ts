/** Calls `stop` after `idleMs` milliseconds without use, or never if `idleMs` is 0. */
export function createIdleStop({ idleMs, stop }: { idleMs(): number; stop(): Promise<void> }) {
	let uses = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let stopping: Promise<unknown> = Promise.resolve();
	const stopNow = () => {
		stopping = stop().catch(() => undefined);
	};
	return {
		during: async <T>(use: () => Promise<T>): Promise<T> => {
			uses++;
			clearTimeout(timer);
			try {
				await stopping;
				return await use();
			} finally {
				uses--;
				if (uses === 0 && idleMs() > 0) timer = setTimeout(stopNow, idleMs()).unref();
			}
		},
		dispose: () => clearTimeout(timer),
	};
}
