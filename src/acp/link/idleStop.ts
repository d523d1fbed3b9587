/** Stops something after `idleMs` without use. */
export interface IdleStop {
	/** Runs a use, after waiting for a stop in progress. */
	during<T>(use: () => Promise<T>): Promise<T>;
	/** Restarts the idle time, for example right after a start. */
	touch(): void;
	dispose(): void;
}

export interface IdleStopDeps {
	/** Milliseconds; 0 disables the stop. */
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
