import { hooked, hookedQuote, hookedStep } from "../../agent/loop/middleware.ts";
import { type Middleware, measuredCalls, type TurnObserver, traced } from "../../agent/loop/runTurn.ts";
import type { TurnHooks } from "../../core/agent/tool.ts";

interface TurnServices {
	readonly turnHooks: TurnHooks;
	readonly traces: TurnObserver;
}

/** The middleware of every kind of turn in this window, in the order in which it begins. */
export const turns = {
	chat: ({ turnHooks, traces }: TurnServices, own: readonly Middleware[]) => [
		...own,
		hooked(turnHooks),
		traced("chat", traces),
	],
	graph: ({ turnHooks, traces }: TurnServices) => [hooked(turnHooks), traced("graph", traces)],
	quote: ({ turnHooks, traces }: TurnServices) => [hookedQuote(turnHooks), traced("quote", traces)],
	/** Passages if a model turned out to be missing: hooks have been asked already. */
	rescue: ({ traces }: TurnServices) => [traced("quote", traces)],
	cli: ({ turnHooks, traces }: TurnServices, own: readonly Middleware[]) => [
		hooked(turnHooks),
		traced("cli", traces),
		measuredCalls,
		...own,
	],
	cliStep: ({ turnHooks, traces }: TurnServices, chain: string) => [
		hookedStep(turnHooks, chain),
		traced("cli", traces),
		measuredCalls,
	],
	modelStep: ({ turnHooks, traces }: TurnServices, chain: string) => [
		hookedStep(turnHooks, chain),
		traced("chat", traces),
	],
};
