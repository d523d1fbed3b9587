import type { Steering } from "../../core/agent/agentEvent.ts";
import { untilAborted } from "../cancellation.ts";
import { createInbox, type Inbox } from "./inbox.ts";

/** Lets the turns of one session follow each other: a message that comes during a turn waits for its end. */
export interface TurnQueue {
	/** Runs an action when no earlier one of the session is at work; `undefined` where that one took its words along. */
	run<Result>(session: string, turn: QueuedTurn<Result>): Promise<Result | undefined>;
}

interface QueuedTurn<Result> {
	readonly signal: AbortSignal;
	/** What answers it: only a turn on the same engine can take its words along. */
	readonly engine: string;
	/** All that it says; absent where it brings more than words. */
	readonly words?: string;
	/**
	 * Called where it has to wait. `sendNow` gives its words to the turn at work, where that listens; else it ends that
	 * turn and lets this one go before all others.
	 */
	onWait(sendNow: () => void): void;
	/** Its signal is also aborted where another turn is sent now. */
	action(signal: AbortSignal, steering: Steering): Promise<Result>;
}

/** The turns of one session. */
interface Line {
	running: Running;
	/** Each lets a turn begin. */
	readonly waiting: (() => void)[];
}

interface Running {
	readonly engine: string;
	/** Ends the turn while it is at work. */
	readonly own: AbortController;
	readonly inbox: Inbox;
}

export function createTurnQueue(): TurnQueue {
	const lines = new Map<string, Line>();
	const beginNext = (session: string) => {
		const begin = lines.get(session)?.waiting.shift();
		if (begin) begin();
		else lines.delete(session);
	};
	/** Resolves with whether the words were taken along; else its turn has come. */
	const wait = async (session: string, line: Line, turn: QueuedTurn<unknown> & Running): Promise<boolean> => {
		const { promise, resolve } = Promise.withResolvers<boolean>();
		const begin = () => {
			line.running = turn;
			resolve(false);
		};
		line.waiting.push(begin);
		turn.onWait(() => {
			if (!leave(line, begin)) return;
			line.waiting.unshift(begin);
			sendInto(line.running, turn, () => leave(line, begin) && resolve(true));
		});
		try {
			return await untilAborted(promise, turn.signal);
		} catch (thrown) {
			// Its turn may have come in this very moment; then it is over at once.
			if (!leave(line, begin)) beginNext(session);
			throw thrown;
		}
	};
	return {
		run: async (session, queued) => {
			const turn = { ...queued, own: new AbortController(), inbox: createInbox() };
			const line = lines.get(session);
			if (!line) lines.set(session, { running: turn, waiting: [] });
			else if (await wait(session, line, turn)) return undefined;
			try {
				return await queued.action(AbortSignal.any([queued.signal, turn.own.signal]), turn.inbox);
			} finally {
				turn.inbox.close();
				beginNext(session);
			}
		},
	};
}

/** Where the turn at work cannot take the words along, it ends for them. */
function sendInto(
	{ engine, own, inbox }: Running,
	said: Pick<QueuedTurn<unknown>, "engine" | "words" | "signal">,
	onTaken: () => void,
): void {
	const { words } = said;
	const canSteer = words !== undefined && engine === said.engine && inbox.isOpen();
	if (!canSteer) {
		own.abort(new DOMException("Another message was sent instead.", "AbortError"));
		return;
	}
	const takeBack = inbox.put(words, onTaken);
	said.signal.addEventListener("abort", takeBack, { once: true });
}

/** Whether it was still waiting. */
function leave({ waiting }: Line, begin: () => void): boolean {
	const at = waiting.indexOf(begin);
	if (at >= 0) waiting.splice(at, 1);
	return at >= 0;
}
