import { createLine, type Line } from "../../base/jobs/line.ts";
import type { Heard, Steering } from "../../core/agent/agentEvent.ts";

interface QueuedTurn<Result> {
	readonly signal: AbortSignal;
	/** What answers it: only a turn on the same engine can take its words along. */
	readonly engine: string;
	/** The text of the turn; absent if it has more than words. */
	readonly words?: string;
	/** Called if it has to wait. `sendNow` gives its words to the turn at work, or ends that turn and goes before all others. */
	onWait(sendNow: () => void): void;
	/** Its signal is also aborted if another turn is sent now. */
	action(signal: AbortSignal, steering: Steering): Promise<Result>;
}

interface Running {
	readonly engine: string;
	readonly own: AbortController;
	readonly inbox: ReturnType<typeof createInbox>;
}

/** Lets the turns of one session follow each other: a message that comes during a turn waits for its end. */
export function createTurnQueue() {
	const sessions = new Map<string, { readonly line: Line; running?: Running }>();
	return {
		/** Runs an action when no earlier one of the session is at work; `undefined` if that one took its words along. */
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

/** Why a turn does not begin: the one at work took its words along. */
const TAKEN = Symbol("taken");

/** If the running turn cannot take the words, it is ended to make way for them. */
function sendInto(running: Running | undefined, said: QueuedTurn<unknown>, onTaken: () => void): void {
	const { words } = said;
	if (!running || words === undefined || running.engine !== said.engine || !running.inbox.isOpen()) {
		running?.own.abort(new DOMException("Another message was sent instead.", "AbortError"));
		return;
	}
	const takeBack = running.inbox.put(words, onTaken);
	said.signal.addEventListener("abort", takeBack, { once: true });
}

/** Where words for a turn at work wait until its engine takes them. */
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
		/** `onTaken` is called when the model was given the words; the returned function takes them back before that. */
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
