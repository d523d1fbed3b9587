import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import { once } from "../../base/once.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { CliLink } from "../cli/cliLink.ts";
import { workspaceUri } from "../folders.ts";
import { createRunningSteps, type RunningSteps } from "../steps/runningSteps.ts";
import { createStepRunner } from "../steps/stepRunner.ts";
import { createSessionJournal } from "../turn/sessionJournal.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import type { WorkerLink } from "../worker/link.ts";
import type { AgentsDeps } from "./agentsCommand.ts";
import { createPlans } from "./plans.ts";

interface AgentParts {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly worker: Pick<WorkerLink, "agents" | "sessions" | "onDidChangeIndex">;
	readonly knowledge: Knowledge;
	readonly cli: CliLink;
	readonly documents: Pick<VirtualDocuments, "show">;
}

/** The agents that files describe, and the chains of them. The first use loads the orchestrator. */
export function createAgentsLink(
	parts: AgentParts,
): AgentsDeps & vscode.Disposable & { readonly steps: RunningSteps } {
	const { context, log, worker, knowledge, cli, documents } = parts;
	const { agents, sessions, onDidChangeIndex } = worker;
	const steps = createRunningSteps();
	const journal = createSessionJournal({ sessions, engine: cli.steps.kind, workspace: workspaceUri });
	const host = once(async () => {
		const { createOrchestratorHost } = await import("./orchestratorHost.ts");
		return createOrchestratorHost({
			agents,
			knowledge,
			state: context.workspaceState,
			onDidChangeIndex,
			runner: async ({ session: chain = randomUUID() }) =>
				createStepRunner({ engine: cli.steps, chain, journal, running: steps, log }),
		});
	});
	const orchestrator = async () => (await host.get()).orchestrator;
	const plans = createPlans(orchestrator, documents);
	return {
		orchestrator,
		plans,
		steps,
		dispose: () => {
			plans.dispose();
			void host.peek()?.then((opened) => opened.dispose());
		},
	};
}
