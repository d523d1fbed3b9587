import { AsyncLocalStorage } from "node:async_hooks";
import { Failure } from "../failure.ts";
import { untilAborted } from "./untilAborted.ts";

/** Running calls of commands. What a command starts may call it again. */
export type CallsAtWork = ReturnType<typeof createCallsAtWork>;

/** More than a model asks for at once; and how deep a command may call itself. */
const MOST = 8;

export function createCallsAtWork(most = MOST) {
	const ancestry = new AsyncLocalStorage<readonly string[]>();
	const running = new Map<string, number>();
	const waiting = new Map<string, (() => void)[]>();
	const untilFree = async (command: string, signal: AbortSignal) => {
		while ((running.get(command) ?? 0) >= most) {
			const { promise, resolve } = Promise.withResolvers<void>();
			waiting.set(command, [...(waiting.get(command) ?? []), resolve]);
			await untilAborted(promise, signal);
		}
		running.set(command, (running.get(command) ?? 0) + 1);
	};
	const alone = async <Result>(command: string, run: () => Promise<Result>, signal: AbortSignal) => {
		await untilFree(command, signal);
		try {
			return await run();
		} finally {
			running.set(command, (running.get(command) ?? 0) - 1);
			for (const begin of waiting.get(command) ?? []) begin();
			waiting.delete(command);
		}
	};
	return {
		/**
		 * Waits while the command is running too many times. Rejects with a `Failure` if it has called itself so often, and
		 * with the signal's reason.
		 */
		during: <Result>(command: string, run: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
			const ancestors = ancestry.getStore() ?? [];
			const within = ancestors.filter((one) => one === command).length;
			if (within >= most)
				return Promise.reject(
					new Failure(
						"NOT_ALLOWED",
						`The command ${command} has called itself ${most} times. Continue without it.`,
					),
				);
			const inContext = () => ancestry.run([...ancestors, command], run);
			// Its own caller waits for it.
			return within > 0 ? inContext() : alone(command, inContext, signal);
		},
	};
}
