import * as vscode from "vscode";
import { Failure, isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/markdown.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { SessionReader } from "../../core/session/session.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { chainOfNames, isAgentName, readAsked } from "../../orchestrator/plan/chainText.ts";
import { eventsOf } from "./answerEvents.ts";
import type { Plans } from "./plans.ts";
import { judgementMarkdown, planMarkdown } from "./planText.ts";
import { type Resumed, readResume, resumeButtons, resumeChain } from "./resumeChain.ts";

export interface AgentsDeps {
	orchestrator(): Promise<Orchestrator>;
	readonly plans: Pick<Plans, "buttonsFor" | "take">;
	/** The journals, for chains that go on. */
	readonly journals: SessionReader;
}

interface AgentsTurn {
	readonly prompt: string;
	readonly stream: vscode.ChatResponseStream;
	readonly session: string;
	/** The chat request, in the words of VS Code. */
	readonly origin: unknown;
	readonly show: (event: AgentEvent) => void;
	/** Puts a button below all that is said of the answer. */
	readonly offer: (button: vscode.Command) => void;
}

/** `/agents`: lists them, judges a prompt, plans a task, or runs a plan, a saved chain or a chain of names. */
export async function answerAgents(
	{ orchestrator: open, plans, journals }: AgentsDeps,
	turn: AgentsTurn,
	signal: AbortSignal,
): Promise<void> {
	const { prompt, stream, offer } = turn;
	const orchestrator = await open();
	if (prompt === "") return listAgents(orchestrator, stream, signal);
	const [, check] = /^check\s+([\s\S]+)$/.exec(prompt) ?? [];
	if (check !== undefined)
		return void stream.markdown(judgementMarkdown(await orchestrator.judge(check, undefined, signal)));
	const [, id] = /^run ([\da-f-]{36})$/.exec(prompt) ?? [];
	if (id !== undefined) return runDraft(orchestrator, turn, plans.take(id) ?? gone(), signal);
	const wanted = readResume(prompt, turn.session);
	if (wanted)
		return runResumed(
			orchestrator,
			turn,
			await resumeChain(journals, orchestrator, { wanted, signal }),
			signal,
		);
	const named = await namedDraft(orchestrator, prompt, signal);
	if (named) return runDraft(orchestrator, turn, named, signal);
	const draft = await orchestrator.plan({ prompt }, signal);
	stream.markdown(planMarkdown(draft));
	for (const button of plans.buttonsFor(draft)) offer(button);
}

function gone(): never {
	throw new Failure(
		"NOT_FOUND",
		vscode.l10n.t("This plan is no longer available. Ask for it again with /agents."),
	);
}

async function listAgents(
	orchestrator: Orchestrator,
	stream: vscode.ChatResponseStream,
	signal: AbortSignal,
): Promise<void> {
	const agents = (await orchestrator.agents(signal)).filter(({ mayBeAsked }) => mayBeAsked);
	const lines = agents.map(
		({ name, description }) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(description)}`,
	);
	const none = vscode.l10n.t("There are no agents here. Describe one in `.github/agents/<name>.md`.");
	stream.markdown([lines.length > 0 ? lines.join("\n") : none, USAGE].join("\n\n"));
}

const USAGE = vscode.l10n.t(
	"`/agents <task>` plans a chain; `/agents a > b & c: <task>` runs one; `/agents check <prompt>` says how clear a prompt is.",
);

/** Of a chain or an agent that the person names in front of a colon; also one that was saved. */
async function namedDraft(
	orchestrator: Orchestrator,
	prompt: string,
	signal: AbortSignal,
): Promise<Draft | undefined> {
	const agents = await orchestrator.agents(signal);
	const { stages, task } = readAsked(prompt, agents);
	if (stages) return orchestrator.plan({ prompt: task, chain: chainOfNames(stages) }, signal);
	const [, name = "", rest = ""] = /^([A-Za-z0-9-]{1,100}):\s*([\s\S]+)$/.exec(prompt) ?? [];
	const chain = isAgentName(name) ? await findChain(orchestrator, name, signal) : undefined;
	return chain && orchestrator.plan({ prompt: rest, chain }, signal);
}

async function findChain(orchestrator: Orchestrator, name: string, signal: AbortSignal) {
	try {
		return await orchestrator.chain(name, signal);
	} catch (thrown) {
		// A task may begin with a word and a colon.
		if (isFailure(thrown) && thrown.code === "NOT_FOUND") return undefined;
		throw thrown;
	}
}

function runDraft(
	orchestrator: Orchestrator,
	turn: AgentsTurn,
	draft: Draft,
	signal: AbortSignal,
): Promise<void> {
	return runResumed(orchestrator, turn, { draft, kept: [] }, signal);
}

async function runResumed(
	orchestrator: Orchestrator,
	{ show, session, origin, offer }: AgentsTurn,
	{ draft, kept }: Resumed,
	signal: AbortSignal,
): Promise<void> {
	const report = await orchestrator.run(draft, { show, session, origin, kept }, signal);
	signal.throwIfAborted();
	for (const event of eventsOf(report.context.finalOutput)) show(event);
	for (const button of resumeButtons(report, session)) offer(button);
}
