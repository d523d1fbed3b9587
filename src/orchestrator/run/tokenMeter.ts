import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Budget } from "./budget.ts";

/** Spends what one try of a step takes, as soon as it is known. */
export interface TokenMeter {
	note(event: AgentEvent): void;
	/** An estimate of the whole, where the engine told nothing of it. */
	close(estimate: () => number): void;
}

/** Some engines count when all is over, and tell before that how much their model has been given. */
export function createTokenMeter({ spend }: Pick<Budget, "spend">): TokenMeter {
	let counted = 0;
	let spent = 0;
	const spendUpTo = (tokens: number) => {
		if (tokens === spent) return;
		spend(tokens - spent);
		spent = tokens;
	};
	return {
		note: (event) => {
			if (event.kind === "window") spendUpTo(Math.max(spent, event.usedTokens));
			if (event.kind !== "usage") return;
			counted += event.inputTokens + event.outputTokens;
			spendUpTo(counted);
		},
		close: (estimate) => {
			if (counted === 0) spendUpTo(Math.max(spent, estimate()));
		},
	};
}
