import { createLine, type Line } from "../../base/jobs/line.ts";
import type { Heard, Steering } from "../../core/agent/agentEvent.ts";

interface QueuedTurn<Result> {
	readonly signal: AbortSignal;
	/** The engine that answers: only a running turn on the same engine can take the words. */
	readonly engine: string;
	/** The text of the turn; absent if the turn has more than text. */
	readonly words?: string;
	/** Called if the turn must wait. `sendNow` passes the words to the running turn, or ends that turn. */
	onWait(sendNow: () => void): void;
	/** Runs the turn. The signal is also aborted if another turn is sent now. */
	action(signal: AbortSignal, steering: Steering): Promise<Result>;
}

interface Running {
	readonly engine: string;
	readonly own: AbortController;
	readonly inbox: ReturnType<typeof createInbox>;
}

/** Runs the turns of a session one after another: a message sent during a turn waits for the turn's end. */
export function createTurnQueue() {
	const sessions = new Map<string, { readonly line: Line; running?: Running }>();
	return {
		/** Runs a turn after the session's earlier turns; `undefined` if the running turn took the words. */
		run: async <Result>(session: string, queued: QueuedTurn<Result>) => {
			const turn = { ...queued, own: new AbortController(), inbox: createInbox() };
			const turns = sessions.get(session) ?? { line: createLine() };
			sessions.set(session, turns);
			const taken = new AbortController();
			const run = () => {
				turns.running = turn;
				return queued.action(AbortSignal.any([queued.signal, turn.own.signal]), turn.inbox);
			};
			try {
				return await turns.line.run(() => run().finally(turn.inbox.close), {
					signal: AbortSignal.any([queued.signal, taken.signal]),
					onWait: (_ahead, goFirst) =>
						queued.onWait(() => goFirst() && sendInto(turns.running, turn, () => taken.abort(TAKEN))),
				});
			} catch (thrown) {
				if (thrown === TAKEN) return undefined;
				throw thrown;
			} finally {
				if (!turns.line.isBusy()) sessions.delete(session);
			}
		},
	};
}

/** Abort reason of a waiting turn whose words the running turn took. */
const TAKEN = Symbol("taken");

/** Passes words to the running turn, or ends that turn if its engine cannot take words. */
function sendInto(running: Running | undefined, said: QueuedTurn<unknown>, onTaken: () => void): void {
	const { words } = said;
	if (!running || words === undefined || running.engine !== said.engine || !running.inbox.isOpen()) {
		running?.own.abort(new DOMException("Another message was sent instead.", "AbortError"));
		return;
	}
	const takeBack = running.inbox.put(words, onTaken);
	said.signal.addEventListener("abort", takeBack, { once: true });
}

export function createInbox() {
	let said: { readonly words: string; onTaken(): void }[] = [];
	let notify: (() => void) | undefined;
	return {
		listen: (onSaid: () => void): Heard => {
			notify = onSaid;
			return {
				words: () => said.map(({ words }) => words),
				given: (count) => {
					for (const { onTaken } of said.splice(0, count)) onTaken();
				},
			};
		},
		isOpen: () => notify !== undefined,
		/** Calls `onTaken` once the model got the words. Before that, the returned function withdraws the words. */
		put: (words: string, onTaken: () => void) => {
			const item = { words, onTaken };
			said.push(item);
			notify?.();
			return () => {
				said = said.filter((each) => each !== item);
				notify?.();
			};
		},
		close: () => {
			notify = undefined;
		},
	};
}
