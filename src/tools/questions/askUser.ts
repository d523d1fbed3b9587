import * as z from "zod";
import { endsWithin, untilAborted } from "../../base/jobs/untilAborted.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { AskUser, UserQuestion } from "../../core/agent/userQuestion.ts";
import { defineTool, optional } from "../definition/defineTool.ts";

/** Milliseconds to wait for the user; MCP clients cancel calls after three minutes. */
const PATIENCE_MS = 170_000;

const schema = z.object({
	question: z.string().min(1).max(2000).describe("One question, in words that need no context."),
	choices: optional(
		z.array(z.string().min(1).max(200)).max(20),
		"Answers to choose from, the one that you recommend first.",
	),
	allowFreeform: optional(
		z.boolean(),
		"Whether the user may answer in other words; true if left out, and where there are no choices.",
	),
});

/** Creates the tool for one caller. Repeating a question that is still open does not ask it again. */
export function createAskUserTool(ask: AskUser, patienceMs = PATIENCE_MS): Tool {
	const open = new Map<string, ReturnType<typeof show>>();
	return defineTool({
		name: "ask_user",
		title: "Ask the User",
		summary: "Let the agent ask you a question.",
		description:
			"Asks the user one question in VS Code and waits for the answer. Use it when the task can go on in ways that differ and nothing says which one the user wants; offer choices where you can. Not for permission to call a tool, which is asked for anyway, and not for what you can find out yourself. Where it says that the user has not answered yet, call it again with the same input to go on waiting.",
		schema,
		announce: ({ question }) => `Asking “${question}”`,
		run: async ({ question, choices = [], allowFreeform = true }, { signal }) => {
			const asked = { question, choices, allowFreeform: allowFreeform || choices.length === 0 };
			const key = JSON.stringify(asked);
			const shown = open.get(key) ?? show(ask, asked);
			open.set(key, shown);
			let isWaiting = false;
			try {
				isWaiting = !(await untilAborted(endsWithin(shown.reply, patienceMs, signal), signal));
				return isWaiting ? STILL_WAITING : await shown.reply;
			} finally {
				if (!isWaiting) {
					open.delete(key);
					shown.withdraw();
				}
			}
		},
	});
}

const STILL_WAITING =
	"The user has not answered yet; the question is still open. Call ask_user again with the same input to go on waiting, or do first what does not depend on the answer.";

const CLOSED =
	"The user closed the question without an answer. Do not ask the same again: choose the safest way to go on, or stop and say what you need to know.";

function show(ask: AskUser, question: UserQuestion) {
	const withdrawn = new AbortController();
	const reply = ask(question, withdrawn.signal).then((answer) =>
		answer === undefined ? CLOSED : `The user answered: ${answer}`,
	);
	// Nothing awaits the reply between two calls; the next call reports a failure.
	reply.catch(() => undefined);
	return { reply, withdraw: () => withdrawn.abort() };
}
