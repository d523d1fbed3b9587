import type { Steering } from "../../core/agent/agentEvent.ts";

/** Where words for a turn at work wait until its engine takes them. */
export interface Inbox extends Steering {
	/** Whether an engine listens. */
	isOpen(): boolean;
	/** `onTaken` is called when the model was given the words; the returned function takes them back before that. */
	put(words: string, onTaken: () => void): () => void;
	/** The turn is over. */
	close(): void;
}

interface Said {
	readonly words: string;
	onTaken(): void;
}

export function createInbox(): Inbox {
	let said: Said[] = [];
	let notify: (() => void) | undefined;
	return {
		listen: (onSaid) => {
			notify = onSaid;
			return {
				words: () => said.map(({ words }) => words),
				given: (count) => {
					for (const { onTaken } of said.splice(0, count)) onTaken();
				},
			};
		},
		isOpen: () => notify !== undefined,
		put: (words, onTaken) => {
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
