import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { SessionReader } from "../../core/session/session.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { stepsOf } from "../../orchestrator/plan/editChain.ts";
import { earlierRun, resumption } from "../../orchestrator/run/earlierRun.ts";
import type { ChainReport } from "../../orchestrator/run/runChain.ts";
import type { StepResult } from "../../orchestrator/run/stepResult.ts";
import { sendToChat } from "../models/sendToChat.ts";

export interface Resumed {
	readonly draft: Draft;
	readonly kept: readonly StepResult[];
}

interface Wanted {
	readonly session: string;
	/** The step from which on everything runs again; absent where what succeeded is kept. */
	readonly from?: string;
}

/** `resume` and `retry <step>`, with the session of the chain where it is not the one of the chat. */
export function readResume(prompt: string, session: string): Wanted | undefined {
	const asked = ASKED.exec(prompt)?.groups;
	if (!asked) return undefined;
	const { from, other = session } = asked;
	return { session: other, ...(from !== undefined && { from }) };
}

const ASKED =
	/^(?:resume|retry (?<from>[A-Za-z0-9_-]{1,120}))(?: (?<other>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/;

/** Rejects with NOT_FOUND where there is nothing to go on with, and with NOT_ALLOWED where the person wants no step repeated. */
export async function resumeChain(
	sessions: SessionReader,
	orchestrator: Pick<Orchestrator, "plan">,
	{ wanted: { session, from }, signal }: { readonly wanted: Wanted; readonly signal: AbortSignal },
): Promise<Resumed> {
	const { turns } = await sessions.read(session, signal);
	const earlier = earlierRun(turns);
	if (!earlier)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("No chain of agents ran in this chat. Plan one with /agents."),
		);
	if (from !== undefined && !stepsOf(earlier.chain).some(({ id }) => id === from))
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("The last chain of this chat has no step {0}.", visibleText(from)),
		);
	const { chain, task } = earlier;
	const draft = await orchestrator.plan({ prompt: task.prompt, chain }, signal);
	const mayChange = (step: string) => draft.plan.steps.some(({ id, mayChange: may }) => id === step && may);
	const { kept, repeated } = resumption(earlier, mayChange, from);
	if (repeated.length > 0) await confirmRepeated(repeated);
	// It is asked the same as before, refined or not.
	return { draft: { ...draft, plan: { ...draft.plan, task } }, kept };
}

const REPEAT = vscode.l10n.t("Run Again");

async function confirmRepeated(steps: readonly string[]): Promise<void> {
	const names = steps.map((step) => visibleText(step)).join(", ");
	const message = vscode.l10n.t("{0} may already have changed files or run commands. Run again?", names);
	const answer = await vscode.window.showWarningMessage(message, { modal: true }, REPEAT);
	if (answer === REPEAT) return;
	throw new Failure(
		"NOT_ALLOWED",
		vscode.l10n.t("The chain was not resumed, because you did not want to repeat {0}.", names),
	);
}

const RESUME = "copilot-ld.resumeAgentChain";

/** What a person can press below a chain that is not whole. */
export function resumeButtons({ outcome, results }: ChainReport, session: string): vscode.Command[] {
	const bad = results.find((result) => result.outcome !== "succeeded" && result.outcome !== "skipped");
	const resume = { command: RESUME, title: vscode.l10n.t("Resume"), arguments: [session] };
	const title = vscode.l10n.t("Retry from {0}", visibleText(bad?.step ?? ""));
	const retry = { command: RESUME, title, arguments: [session, bad?.step] };
	return [...(outcome === "done" && !bad ? [] : [resume]), ...(bad ? [retry] : [])];
}

/** Without a session, the chain of the chat that is open goes on. */
export function registerResume(): vscode.Disposable {
	const commands: Record<string, (session?: unknown, step?: unknown) => unknown> = {
		"copilot-ld.resumeAgentChain": (session = "", step) => {
			const words = `${typeof step === "string" ? `retry ${step}` : "resume"} ${session}`.trim();
			return sendToChat(`@copilot-ld /agents ${words}`);
		},
	};
	return vscode.Disposable.from(
		...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
	);
}
