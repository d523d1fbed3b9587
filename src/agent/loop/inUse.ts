import type { Middleware } from "./runTurn.ts";

/** Keeps something in use while a turn runs. */
export function inUse({ during }: { during(use: () => Promise<void>): Promise<void> }): Middleware {
	return () => {
		const ended = Promise.withResolvers<void>();
		void during(() => ended.promise);
		return { end: () => ended.resolve() };
	};
}
