/** Stops something that nobody has used for a while. */
export interface IdleStop {
	/** Runs something that uses it; where it is being stopped, that is waited for. */
	during<T>(use: () => Promise<T>): Promise<T>;
	/** As after a use that has ended now: it runs, and nobody uses it yet. */
	touch(): void;
	dispose(): void;
}

export interface IdleStopDeps {
	/** Milliseconds; 0 where it is never stopped. */
	idleMs(): number;
	stop(): Promise<void>;
}

export function createIdleStop({ idleMs, stop }: IdleStopDeps): IdleStop {
	let uses = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let stopping: Promise<unknown> = Promise.resolve();
	const stopNow = () => {
		stopping = stop().catch(() => undefined);
	};
	const touch = () => {
		clearTimeout(timer);
		if (uses > 0 || idleMs() <= 0) return;
		timer = setTimeout(stopNow, idleMs());
		timer.unref();
	};
	return {
		touch,
		during: async (use) => {
			uses++;
			clearTimeout(timer);
			try {
				await stopping;
				return await use();
			} finally {
				uses--;
				touch();
			}
		},
		dispose: () => clearTimeout(timer),
	};
}
