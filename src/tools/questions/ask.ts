import * as z from "zod";
import { endsWithin, untilAborted } from "../../base/jobs/untilAborted.ts";
import type { AgentEvent, QuotedFacts, Runner } from "../../core/agent/agentEvent.ts";
import type { Tool, ToolContext } from "../../core/agent/tool.ts";
import { answering, citationsOf, wordsOf } from "../../core/agent/turnAnswer.ts";
import type { AskUser, UserQuestion } from "../../core/agent/userQuestion.ts";
import { defineTool, lines, optional } from "../definition/defineTool.ts";

const schema = z.object({
	question: z.string().min(1).describe("The whole question, understandable without the conversation."),
});

const output = z.object({
	answer: z.string().describe("Markdown, with a citation [path:lines] after what it supports."),
	kind: z.enum(["answer", "list", "count", "overview", "nothing"]).describe("From a model: answer."),
	items: z.array(z.string()).describe("What was listed or counted; empty for the other kinds."),
	citations: z.array(z.object({ path: z.string(), lines })).describe("Each cited place once."),
	complete: z.boolean().describe("Whether nothing is missing: files, items, or the end of the answer."),
	model: z.string().nullable().describe("The language model that wrote it; null if none did."),
	notices: z.array(z.string()).describe("What one must know to judge the answer."),
});

/** `openRunner` returns the runner of a call; it rejects with a `Failure` if there is no model. */
export function createAskTool(openRunner: (context: ToolContext) => Promise<Runner>): Tool {
	return defineTool({
		name: "ask",
		title: "Ask Copilot-LD",
		summary: "Let Copilot-LD research a question in the knowledge base and answer with citations.",
		description:
			"Hands a whole question to Copilot-LD, an agent that searches and reads the user's knowledge base in several steps, and returns its answer with citations [path:lines]. Use it for questions that need several look-ups; for a single look-up search_knowledge is faster.",
		schema,
		output,
		announce: ({ question }) => `Asking Copilot-LD: “${question}”`,
		run: async ({ question }, context) => {
			const runner = await openRunner(context);
			return answerOf(runner({ question, history: [], attachments: [] }, context.signal), context.report);
		},
	});
}

export async function answerOf(running: AsyncIterable<AgentEvent>, report?: ToolContext["report"]) {
	const events = answering(await Array.fromAsync(reported(running, report)));
	const answer = events.map(wordsOf).join("").trim() || "The model gave no answer.";
	const notices = events.flatMap((event) => (event.kind === "notice" ? [event.text] : []));
	const structured: z.input<typeof output> = {
		answer,
		notices,
		...factsOf(events),
		citations: citationsOf(events),
	};
	return { text: [answer, ...notices.map((text) => `Note: ${text}`)].join("\n\n"), structured };
}

const CHARACTERS_PER_REPORT = 200;

async function* reported(events: AsyncIterable<AgentEvent>, report: ToolContext["report"] = () => undefined) {
	const written = { text: 0, thought: 0 };
	for await (const event of events) {
		const isWriting = event.kind === "text" || event.kind === "thought";
		for (const text of isWriting ? writing(event, written) : doing(event)) report(text);
		yield event;
	}
}

function writing(
	{ kind, text }: { readonly kind: "text" | "thought"; readonly text: string },
	written: Record<"text" | "thought", number>,
): string[] {
	const reports = Math.ceil(written[kind] / CHARACTERS_PER_REPORT);
	written[kind] += text.length;
	if (Math.ceil(written[kind] / CHARACTERS_PER_REPORT) === reports) return [];
	return [`${kind === "text" ? "Answering" : "Thinking"}: ${written[kind]} characters`];
}

function doing(event: AgentEvent): string[] {
	if (event.kind === "progress") return [event.text];
	return event.kind === "toolStarted" ? [`Calling ${event.title ?? event.call.name}`] : [];
}

function factsOf(events: readonly AgentEvent[]) {
	const ended = events.findLast((event) => event.kind === "ended");
	const isDone = ended?.reason === "done" && !ended.isCut;
	const quoted: QuotedFacts = ended?.quoted ?? { kind: "answer", items: [], isComplete: isDone };
	const model = ended?.isQuoted ? null : (ended?.model ?? "unknown");
	return { kind: quoted.kind, items: [...quoted.items], complete: quoted.isComplete, model };
}

/** Milliseconds to wait for the user; MCP clients cancel calls after three minutes. */
const PATIENCE_MS = 170_000;

const askedSchema = z.object({
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
		schema: askedSchema,
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
