import { Failure } from "../../base/failure.ts";
import type { TurnHooks } from "../../core/agent/tool.ts";
import { hookedCalls } from "../call/toolCall.ts";
import type { Middleware } from "./runTurn.ts";

export function hooked(hooks: TurnHooks): Middleware {
	return async (turn) => {
		const { request, signal, tell } = turn;
		const say = (text: string) => tell({ kind: "notice", text });
		const { notices, denial, context } = await hooks.prompt(request, signal);
		notices.forEach(say);
		if (denial !== undefined) throw new Failure("NOT_ALLOWED", denial);
		turn.request = { ...request, attachments: [...request.attachments, ...context] };
		turn.around = hookedCalls(hooks, say);
		return {
			// Hooks run before the event `ended`, because later notices are not shown.
			note: async ({ kind }) => {
				if (kind === "ended") (await hooks.end(turn.request, signal)).notices.forEach(say);
			},
		};
	};
}

/** Runs hooks for a request for passages. Hooks may deny the request, but the context that they add is not used. */
export function hookedQuote(hooks: TurnHooks): Middleware {
	const prompt: TurnHooks["prompt"] = async (...asked) => ({
		...(await hooks.prompt(...asked)),
		context: [],
	});
	return hooked({ ...hooks, prompt });
}

/** Runs a step's hooks like those of a prompt in the chain's session. End hooks run only for the whole chain. */
export function hookedStep(hooks: TurnHooks, chain: string): Middleware {
	const prompt: TurnHooks["prompt"] = ({ question }, signal) =>
		hooks.prompt({ question, session: chain }, signal);
	const end = async () => ({ context: [], notices: [] });
	return hooked({ ...hooks, prompt, end });
}

export function inUse({ during }: { during(use: () => Promise<void>): Promise<void> }): Middleware {
	return () => {
		const ended = Promise.withResolvers<void>();
		void during(() => ended.promise);
		return { end: () => ended.resolve() };
	};
}
