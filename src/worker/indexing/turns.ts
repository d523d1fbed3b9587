import { createMutex } from "../../base/jobs/mutex.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";

/**
 * What a run calls before every file: it goes on when this resolves, to the absolute paths that other runs have brought
 * in step meanwhile. Those need `write` first: what was read before them must not be written after them.
 */
export type Between = (write: () => Promise<void>, signal: AbortSignal) => Promise<readonly string[]>;

/** A waiting run. Rejects if it fails; its caller gets the error. */
interface WaitingRun {
	readonly scope: readonly string[];
	readonly work: (between: Between) => Promise<unknown>;
}

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
	const queue = createMutex();
	const gate = createPauseSwitch();
	const waiting = new Set<WaitingRun>();
	return {
		/** Runs when all that was asked for before has ended. */
		take: <Result>(work: (between: Between) => Promise<Result>) => queue.run(() => work(letOthers)),
		/** Runs as well between two files of another run; `scope` are the absolute paths that it brings in step. */
		slipIn,
		/** Makes every run wait between two files, or lets them go on. */
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

	/** A run between the files of another one lets no third one in. */
	async function waitAtGate(write: () => Promise<void>, signal: AbortSignal): Promise<readonly string[]> {
		if (gate.isClosed) await write();
		await gate.pass(signal);
		return [];
	}

	/** Nothing is left to do if it has already run between the files of another run. */
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
		/** Resolves when the gate is open; rejects with the signal's reason. */
		pass: async (signal: AbortSignal) => {
			signal.throwIfAborted();
			// It may be closed again before the one who waited comes through.
			while (closed) await untilAborted(closed.promise, signal);
		},
	};
}
