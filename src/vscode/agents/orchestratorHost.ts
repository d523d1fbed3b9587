import { join } from "node:path";
import type * as vscode from "vscode";
import { readInFirst } from "../../base/files/file.ts";
import type { StepRunner } from "../../core/agent/agentEvent.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { findNamesBy } from "../../orchestrator/evaluate/refine.ts";
import { type Caller, createOrchestrator } from "../../orchestrator/orchestrator.ts";
import { CHAINS_FOLDER } from "../../orchestrator/plan/chainFile.ts";
import type { Preference } from "../../orchestrator/plan/plan.ts";
import { createResultCache } from "../../orchestrator/run/runStep.ts";
import { folderPaths } from "../folders.ts";
import { chainLimits, setting } from "../settings.ts";
import type { WorkerLink } from "../worker/link.ts";

const PREFERENCES = "agents.preferences";

/** Creates the orchestrator. `runner` rejects with a `Failure` if no engine can run an agent. */
export function createOrchestratorHost(
	{ agents, onDidChangeIndex }: WorkerLink,
	knowledge: Knowledge,
	state: vscode.Memento,
	runner: (caller: Caller) => Promise<StepRunner>,
) {
	const cache = createResultCache();
	// Cached results may depend on files that have changed.
	const listening = onDidChangeIndex(cache.clear);
	const orchestrator = createOrchestrator({
		registry: agents.registry,
		fits: agents.fits,
		findNames: findNamesBy(knowledge, "tools"),
		readChain: (name) => readInFirst(folderPaths(), join(CHAINS_FOLDER, `${name}.yaml`)),
		runner,
		preferences: {
			all: () => state.get<readonly Preference[]>(PREFERENCES, []),
			keep: async (all) => state.update(PREFERENCES, all),
		},
		cache,
		limits: chainLimits,
		timeout: () => setting("agents.limits").stepTimeout * 1000,
	});
	return { orchestrator, dispose: () => listening.dispose() };
}
