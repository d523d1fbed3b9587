import type { CliQuestion } from "../../acp/turn/guard/permissionDesk.ts";
import { createConsents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { type CliTools, type CliToolsParts, openCliTools } from "../endpoint/cliTools.ts";

export type StepToolsParts = Omit<CliToolsParts, "consents">;

/** Our tools for the steps of chains, and how people are asked about what a step wants. */
export interface StepTools extends CliTools {
	/** What is allowed once is allowed where the call arrives, too: it may be one of a tool of ours. */
	asking(session: string): AskPerson<CliQuestion>;
	/** The step is over, and what was allowed to it. */
	forget(session: string): void;
}

export function openStepTools(parts: StepToolsParts): StepTools {
	const consents = createConsents();
	return {
		...openCliTools({ ...parts, consents }),
		asking: (session) => async (question, signal) => {
			const answer = await parts.ask(question, signal);
			if (answer?.kind === "once" && !signal.aborted) consents.give(session, question.request.tool);
			return answer;
		},
		forget: consents.forget,
	};
}
