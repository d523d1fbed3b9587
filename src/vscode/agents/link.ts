import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createSessionJournal } from "../../agent/journal/sessionJournal.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { Failure } from "../../base/failure.ts";
import { once } from "../../base/jobs/once.ts";
import type { AgentRegistry } from "../../core/agent/chain.ts";
import type { StepEngine } from "../../core/agent/stepEngine.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Caller } from "../../orchestrator/orchestrator.ts";
import { workspaceUri } from "../folders.ts";
import { showProblems } from "../problems.ts";
import type { MarkdownViewer } from "../registerEach.ts";
import { createRunningSteps, type RunningSteps } from "../steps/runningSteps.ts";
import { createStepRunner } from "../steps/stepRunner.ts";
import type { ChatOrigins } from "../tools/chatOrigins.ts";
import type { LiveTurns } from "../turn/liveTurns.ts";
import type { WorkerLink } from "../worker/link.ts";
import { agentDocuments } from "./agentDocuments.ts";
import { contributedTools, registerAgentHelp } from "./agentHelp.ts";
import { type AgentsDeps, registerResume } from "./agentsCommand.ts";
import { registerAgentsView } from "./agentsView.ts";
import { tracedChains, withTurns } from "./chainTurns.ts";
import { createLiveAgents, type LiveAgents } from "./liveAgents.ts";
import { createPlans } from "./plans.ts";
import { createSelectionNotes, noting } from "./selectionNotes.ts";

interface AgentParts {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly worker: WorkerLink;
	readonly knowledge: Knowledge;
	readonly documents: MarkdownViewer;
	readonly origins: ChatOrigins;
	readonly live: LiveTurns;
	readonly traces: TurnTracer;
	/** What runs the steps of chains that a chat asks for. Rejects with a `Failure` if nothing can. */
	chooseSteps(origin: unknown): Promise<StepEngine>;
}

/** The agents that files describe, their view, and the chains of them. The first use loads the orchestrator. */
export function createAgentsLink(
	parts: AgentParts,
): AgentsDeps & vscode.Disposable & { readonly steps: RunningSteps } {
	const { context, log, worker, knowledge, documents, traces } = parts;
	const { agents, sessions, onDidChangeIndex } = worker;
	const steps = createRunningSteps();
	const notes = createSelectionNotes();
	const journal = createSessionJournal({ sessions, engine: "model", workspace: workspaceUri });
	const host = once(async () => {
		const { createOrchestratorHost } = await import("./orchestratorHost.ts");
		return createOrchestratorHost({
			agents,
			knowledge,
			state: context.workspaceState,
			onDidChangeIndex,
			runner: async (caller) => {
				const [engine, chain] = [await engineFor(parts, caller), caller.session ?? randomUUID()];
				return createStepRunner({ ...parts, engine, chain, journal, running: steps });
			},
		});
	});
	const orchestrator = once(async () =>
		noting(withTurns(tracedChains((await host.get()).orchestrator, traces), { ...parts, journal }), notes),
	);
	const plans = createPlans(orchestrator.get, documents);
	const [view, resume] = [showAgents(agents, notes, log), registerResume()];
	return {
		orchestrator: orchestrator.get,
		plans,
		steps,
		journals: sessions,
		dispose: () => {
			vscode.Disposable.from(plans, view, resume, notes).dispose();
			void host.peek()?.then((opened) => opened.dispose());
		},
	};
}

function engineFor({ chooseSteps }: AgentParts, { origin }: Caller): Promise<StepEngine> {
	if (!vscode.workspace.isTrusted)
		throw new Failure(
			"UNTRUSTED",
			vscode.l10n.t(
				"Agents are not run in an untrusted folder, because its files would define them. Trust the folder first.",
			),
		);
	return chooseSteps(origin);
}

function showAgents(
	files: WorkerLink["agents"],
	notes: ReturnType<typeof createSelectionNotes>,
	log: vscode.LogOutputChannel,
): vscode.Disposable {
	const live = createLiveAgents(files, log);
	return vscode.Disposable.from(
		live,
		registerAgentsView(live, notes),
		registerAgentDiagnostics(live),
		registerAgentHelp(live),
	);
}

/** Shows what is wrong with files of agents, from when one of them is opened or the agents are looked at. */
function registerAgentDiagnostics(live: LiveAgents): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld.agents");
	const show = ({ problems }: AgentRegistry) => {
		const known = contributedTools();
		showProblems(
			collection,
			problems.filter(({ tool }) => tool === undefined || !known.has(tool)),
		);
	};
	const selector = agentDocuments();
	const look = (document: vscode.TextDocument) => {
		if (vscode.languages.match(selector, document) > 0) void live.registryOrNone();
	};
	return vscode.Disposable.from(
		collection,
		live.onDidRead(show),
		live.onDidChange(() => void live.registryOrNone()),
		vscode.workspace.onDidOpenTextDocument(look),
	);
}
