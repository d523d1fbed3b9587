import { untilAborted } from "../cancellation.ts";

/** Lets the turns of one session follow each other: a message that comes during a turn waits for its end. */
export interface TurnQueue {
	/** Runs an action when no earlier one of the session is at work. */
	run<Result>(session: string, turn: QueuedTurn<Result>): Promise<Result>;
}

interface QueuedTurn<Result> {
	readonly signal: AbortSignal;
	/** Called where it has to wait; `sendNow` ends the turn at work and lets this one go before all others. */
	onWait(sendNow: () => void): void;
	/** Its signal is also aborted where another turn is sent now. */
	action(signal: AbortSignal): Promise<Result>;
}

/** The turns of one session. */
interface Line {
	/** Ends the turn at work. */
	running: AbortController;
	/** Each lets a turn begin. */
	readonly waiting: (() => void)[];
}

interface Waiting extends Pick<QueuedTurn<unknown>, "signal" | "onWait"> {
	/** Ends this turn while it is at work. */
	readonly own: AbortController;
}

export function createTurnQueue(): TurnQueue {
	const lines = new Map<string, Line>();
	const beginNext = (session: string) => {
		const begin = lines.get(session)?.waiting.shift();
		if (begin) begin();
		else lines.delete(session);
	};
	const wait = async (session: string, line: Line, { own, signal, onWait }: Waiting) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const begin = () => {
			line.running = own;
			resolve();
		};
		line.waiting.push(begin);
		onWait(() => {
			if (!leave(line, begin)) return;
			line.waiting.unshift(begin);
			line.running.abort(new DOMException("Another message was sent instead.", "AbortError"));
		});
		try {
			await untilAborted(promise, signal);
		} catch (thrown) {
			// Its turn may have come in this very moment; then it is over at once.
			if (!leave(line, begin)) beginNext(session);
			throw thrown;
		}
	};
	return {
		run: async (session, { signal, onWait, action }) => {
			const own = new AbortController();
			const line = lines.get(session);
			if (line) await wait(session, line, { own, signal, onWait });
			else lines.set(session, { running: own, waiting: [] });
			try {
				return await action(AbortSignal.any([signal, own.signal]));
			} finally {
				beginNext(session);
			}
		},
	};
}

/** Whether it was still waiting. */
function leave({ waiting }: Line, begin: () => void): boolean {
	const at = waiting.indexOf(begin);
	if (at >= 0) waiting.splice(at, 1);
	return at >= 0;
}
