import type { PromptResponse } from "@agentclientprotocol/sdk";
import { fieldOf, numberOf } from "../../base/values.ts";

/** The agent counts over all turns of a session; this tells what one of them took. */
export type UsageMeter = ReturnType<typeof createUsageMeter>;

export function createUsageMeter() {
	let before = { inputTokens: 0, outputTokens: 0 };
	return {
		/** `undefined` if the answer has no counts. */
		read: (answer: PromptResponse) => {
			const usage = fieldOf(answer, "usage");
			const inputTokens = numberOf(usage, "inputTokens");
			const outputTokens = numberOf(usage, "outputTokens");
			if (inputTokens === undefined || outputTokens === undefined) return undefined;
			const event = {
				kind: "usage" as const,
				inputTokens: Math.max(0, inputTokens - before.inputTokens),
				outputTokens: Math.max(0, outputTokens - before.outputTokens),
			};
			before = { inputTokens, outputTokens };
			return event;
		},
	};
}
