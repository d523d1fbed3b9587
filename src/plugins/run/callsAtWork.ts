import { Failure } from "../../base/failure.ts";

/** Running calls of commands. What a command starts may call it again, in ways that no caller can see. */
export interface CallsAtWork {
	/** Rejects with a `Failure` if the command is already running too many times. */
	during<Result>(command: string, run: () => Promise<Result>): Promise<Result>;
}

/** More than a model asks for at once. */
const MOST = 8;

export function createCallsAtWork(most = MOST): CallsAtWork {
	const atWork = new Map<string, number>();
	const add = (command: string, count: number) => {
		const now = (atWork.get(command) ?? 0) + count;
		if (now === 0) atWork.delete(command);
		else atWork.set(command, now);
		return now;
	};
	return {
		during: async (command, run) => {
			try {
				if (add(command, 1) > most)
					throw new Failure(
						"NOT_ALLOWED",
						`The command ${command} is already running ${most} times: does it call itself? Wait until it has ended, or continue without it.`,
					);
				return await run();
			} finally {
				add(command, -1);
			}
		},
	};
}
