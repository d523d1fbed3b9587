import { createMutex } from "../../base/jobs/mutex.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";

/**
 * A run calls this function before every file, so that other runs can take place between two files. Calls `write`
 * first, because older content must not be written after newer content. Resolves to the absolute paths that the
 * other runs updated.
 */
export type Between = (write: () => Promise<void>, signal: AbortSignal) => Promise<readonly string[]>;

interface WaitingRun {
	readonly scope: readonly string[];
	readonly work: (between: Between) => Promise<unknown>;
}

export function createTurns() {
	const queue = createMutex();
	const gate = createPauseSwitch();
	const waiting = new Set<WaitingRun>();
	return {
		take: <Result>(work: (between: Between) => Promise<Result>) => queue.run(() => work(letOthers)),
		/** Runs after all earlier runs, or between two files of one. `scope` lists the absolute paths it updates. */
		slipIn,
		/** Pauses every run between two files, or resumes all runs. */
		pause: gate.setClosed,
		get isPaused() {
			return gate.isClosed;
		},
		idle: queue.idle,
	};

	function slipIn<Result>(
		scope: readonly string[],
		work: (between: Between) => Promise<Result>,
	): Promise<Result> {
		return new Promise((resolve, reject) => {
			const tell = async (result: Promise<Result>) => {
				result.then(resolve, reject);
				await result;
			};
			const run = { scope, work: (between: Between) => tell(work(between)) };
			waiting.add(run);
			queue.run(() => workOff(run, letOthers)).catch(() => undefined);
		});
	}

	async function letOthers(write: () => Promise<void>, signal: AbortSignal): Promise<readonly string[]> {
		if (!gate.isClosed && waiting.size === 0) return [];
		await write();
		await gate.pass(signal);
		const done: string[] = [];
		for (const run of waiting) {
			const isDone = await workOff(run, waitAtGate).then(
				() => true,
				() => false,
			);
			if (isDone) done.push(...run.scope);
		}
		return done;
	}

	/** A run inside another run waits here while runs are paused, but lets no third run in. */
	async function waitAtGate(write: () => Promise<void>, signal: AbortSignal): Promise<readonly string[]> {
		if (gate.isClosed) await write();
		await gate.pass(signal);
		return [];
	}

	/** Does nothing if the run already took place between two files of another run. */
	async function workOff(run: WaitingRun, between: Between): Promise<void> {
		if (waiting.delete(run)) await run.work(between);
	}
}

function createPauseSwitch() {
	let closed: PromiseWithResolvers<void> | undefined;
	return {
		get isClosed() {
			return closed !== undefined;
		},
		setClosed: (next: boolean) => {
			if (next) closed ??= Promise.withResolvers<void>();
			else {
				closed?.resolve();
				closed = undefined;
			}
		},
		/** Rejects with the signal's reason if the signal aborts before the gate is open. */
		pass: async (signal: AbortSignal) => {
			signal.throwIfAborted();
			// Loop, because the gate may be closed again before this call resumes.
			while (closed) await untilAborted(closed.promise, signal);
		},
	};
}
