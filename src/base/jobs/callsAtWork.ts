import { AsyncLocalStorage } from "node:async_hooks";
import { Failure } from "../failure.ts";
import { untilAborted } from "./untilAborted.ts";

/** Limits the running calls of each command. A command may start programs that call the command again. */
export type CallsAtWork = ReturnType<typeof createCallsAtWork>;

/** Maximum number of parallel calls and of nested calls of one command. Models request fewer calls at once. */
const MOST = 8;

export function createCallsAtWork(most = MOST) {
	const ancestry = new AsyncLocalStorage<readonly string[]>();
	const running = new Map<string, Set<Promise<unknown>>>();
	const alone = async <Result>(command: string, run: () => Promise<Result>, signal: AbortSignal) => {
		const others = running.get(command) ?? new Set();
		running.set(command, others);
		const oneEnds = () => Promise.race(others).catch(() => undefined);
		while (others.size >= most) await untilAborted(oneEnds(), signal);
		const call = run();
		others.add(call);
		return call.finally(() => others.delete(call));
	};
	return {
		/** Waits while too many calls are running. Rejects with a `Failure` if the command is nested too deeply. */
		during: async <Result>(command: string, run: () => Promise<Result>, signal: AbortSignal) => {
			const ancestors = ancestry.getStore() ?? [];
			const within = ancestors.filter((one) => one === command).length;
			const message = `The command ${command} has called itself ${most} times. Continue without it.`;
			if (within >= most) throw new Failure("NOT_ALLOWED", message);
			const inContext = () => ancestry.run([...ancestors, command], run);
			// A nested call never waits, because its caller waits for it.
			return within > 0 ? inContext() : alone(command, inContext, signal);
		},
	};
}
