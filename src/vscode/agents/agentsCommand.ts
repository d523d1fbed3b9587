import * as vscode from "vscode";
import { Failure, ifThere } from "../../base/failure.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { AgentProblem } from "../../core/agent/chain.ts";
import { piecesOf } from "../../core/knowledge/citation.ts";
import type { SessionReader } from "../../core/session/session.ts";
import type { Orchestrator } from "../../orchestrator/orchestrator.ts";
import { chainOfNames, readAsked } from "../../orchestrator/plan/chainText.ts";
import { earlierRun } from "../../orchestrator/run/earlierRun.ts";
import type { ChainReport } from "../../orchestrator/run/runChain.ts";
import { isConfirmed } from "../confirmLines.ts";
import { translated } from "../l10n.ts";
import type { Answer, ChatTurn } from "../turn/turnRecord.ts";
import { judgementMarkdown, type Plans, planMarkdown } from "./plans.ts";

export interface AgentsDeps {
	orchestrator(): Promise<Orchestrator>;
	readonly plans: Plans;
	readonly journals: SessionReader;
}

type Resumed = Awaited<ReturnType<Orchestrator["resume"]>>;

export const answerAgents: Answer<AgentsDeps> = async (deps, turn, signal) => {
	const { plans, journals } = deps;
	const { prompt, stream, offer } = turn;
	const orchestrator = await deps.orchestrator();
	if (prompt === "") return listAgents(orchestrator, turn, signal);
	const [, check] = /^check\s+([\s\S]+)$/.exec(prompt) ?? [];
	if (check !== undefined)
		return void stream.markdown(judgementMarkdown(await orchestrator.judge(check, undefined, signal)));
	const [, id] = /^run ([\da-f-]{36})$/.exec(prompt) ?? [];
	const run = (resumed: Resumed) => runResumed(orchestrator, turn, resumed, signal);
	if (id !== undefined) return run({ ...NEW, draft: plans.take(id) });
	const wanted = readResume(prompt, turn.session);
	if (wanted) return run(await resumeChain(journals, orchestrator, wanted, signal));
	const named = await namedDraft(orchestrator, prompt, signal);
	if (named) return run({ ...NEW, draft: named });
	const draft = await orchestrator.plan({ prompt }, signal);
	stream.markdown(planMarkdown(draft));
	for (const button of plans.buttonsFor(draft)) offer(button);
};

const NEW = { kept: [], isFresh: false };

const listAgents: Answer<Orchestrator> = async (orchestrator, { stream }, signal) => {
	const { agents, problems } = await orchestrator.registry(signal);
	const lines = agents
		.filter(({ mayBeAsked }) => mayBeAsked)
		.map(({ name, description }) => `- **${escapeMarkdown(name)}**: ${escapeMarkdown(description)}`);
	const skipped = problems.filter(({ severity }) => severity === "error").map(skippedLine);
	const none = vscode.l10n.t("There are no agents here. Describe one in `.github/agents/<name>.md`.");
	const told = skipped.length > 0 ? [vscode.l10n.t("Skipped files:"), skipped.join("\n")] : [];
	stream.markdown([lines.length > 0 ? lines.join("\n") : none, ...told, USAGE].join("\n\n"));
};

function skippedLine({ uri, line, message }: AgentProblem): string {
	const place = `${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}:${line}`;
	return `- ${escapeMarkdown(visibleText(place))}: ${escapeMarkdown(translated(message))}`;
}

const USAGE = vscode.l10n.t(
	"`/agents <task>` plans a chain; `/agents a > b & c: <task>` runs one; `/agents check <prompt>` says how clear a prompt is.",
);

/** Plans the chain, saved chain or agent that the user names before a colon; `undefined` if there is none. */
async function namedDraft(orchestrator: Orchestrator, prompt: string, signal: AbortSignal) {
	const { agents } = await orchestrator.registry(signal);
	const { stages, task } = readAsked(prompt, agents);
	if (stages) return orchestrator.plan({ prompt: task, chain: chainOfNames(stages) }, signal);
	const [, name = "", rest = ""] = /^([A-Za-z0-9-]{1,100}):\s*([\s\S]+)$/.exec(prompt) ?? [];
	// If there is no such chain, the word before the colon belongs to the task.
	const chain = await ifThere(() => orchestrator.chain(name, signal));
	return chain && orchestrator.plan({ prompt: rest, chain }, signal);
}

async function runResumed(orchestrator: Orchestrator, turn: ChatTurn, resumed: Resumed, signal: AbortSignal) {
	const { show, session, request, offer } = turn;
	const { draft, ...earlier } = resumed;
	const options = { show, session, origin: request.toolInvocationToken, ...earlier };
	const report = await orchestrator.run(draft, options, signal);
	signal.throwIfAborted();
	for (const event of eventsOf(report.context.finalOutput)) show(event);
	for (const button of resumeButtons(report, session)) offer(button);
}

/** Parses `resume` and `retry <step>`, which repeats that step and all later steps. A session may follow. */
export function readResume(prompt: string, session: string) {
	const asked = ASKED.exec(prompt)?.groups;
	if (!asked) return undefined;
	const { from, other = session } = asked;
	return { session: other, ...(from !== undefined && { from }) };
}

const ASKED =
	/^(?:resume|retry (?<from>[\p{L}\p{N}_-]{1,120}))(?: (?<other>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/u;

/** Rejects with NOT_FOUND without a chain to resume, or NOT_ALLOWED if the user refuses to repeat steps. */
async function resumeChain(
	sessions: SessionReader,
	orchestrator: Orchestrator,
	{ session, from }: { readonly session: string; readonly from?: string },
	signal: AbortSignal,
): Promise<Resumed> {
	const { turns } = await sessions.read(session, signal);
	const earlier = earlierRun(turns);
	const none = vscode.l10n.t("No chain of agents ran in this chat. Plan one with /agents.");
	if (!earlier) throw new Failure("NOT_FOUND", none);
	return orchestrator.resume({ earlier, from, allowRepeat: confirmRepeated }, undefined, signal);
}

async function confirmRepeated(steps: readonly string[]): Promise<void> {
	const names = steps.map((step) => visibleText(step)).join(", ");
	const message = vscode.l10n.t("{0} may already have changed files or run commands. Run again?", names);
	if (await isConfirmed(message, vscode.l10n.t("Run Again"))) return;
	const refused = vscode.l10n.t("The chain was not resumed, because you did not want to repeat {0}.", names);
	throw new Failure("NOT_ALLOWED", refused);
}

function resumeButtons({ outcome, results }: ChainReport, session: string): vscode.Command[] {
	const bad = results.find((result) => result.outcome !== "succeeded" && result.outcome !== "skipped");
	const command = "copilot-ld.resumeAgentChain";
	const resume = { command, title: vscode.l10n.t("Resume"), arguments: [session] };
	const title = vscode.l10n.t("Retry from {0}", visibleText(bad?.step ?? ""));
	const retry = { command, title, arguments: [session, bad?.step] };
	return [...(outcome === "done" && !bad ? [] : [resume]), ...(bad ? [retry] : [])];
}

/** Splits a chain's output into text and citation events. All cited lines were shown to the steps. */
export function eventsOf(text: string): AgentEvent[] {
	return piecesOf(text).map((piece) =>
		typeof piece === "string"
			? { kind: "text", text: piece }
			: { kind: "citation", citation: piece.citation },
	);
}

/** Joins the text that the steps of a chain wrote, without our summary; empty for a plan. */
export function wordsOfSteps(events: readonly AgentEvent[]): string {
	return events.flatMap((event) => (event.kind === "stepFinished" ? event.text : [])).join("\n\n");
}
