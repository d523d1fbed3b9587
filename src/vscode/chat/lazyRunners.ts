import type * as vscode from "vscode";
import { once } from "../../base/jobs/once.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { AssetRef } from "../../core/agent/assetRef.ts";
import type { StepEngine } from "../../core/agent/stepEngine.ts";
import type { RunnerWish, ToolContext } from "../../core/agent/tool.ts";
import type { createRunners, Runners } from "./runners.ts";

/** The agent loop, for the chat, for a tool and for steps of chains. The first use loads it. */
export function lazyRunners(...parts: Parameters<typeof createRunners>) {
	const runners = once(async () => (await import("./runners.ts")).createRunners(...parts));
	const lazily = (choose: (runners: Runners) => Runner): Runner =>
		async function* run(turn, signal) {
			yield* choose(await runners.get())(turn, signal);
		};
	return {
		runnerFor: (request: vscode.ChatRequest) => lazily(({ runnerFor }) => runnerFor(request)),
		resultOf: async (session: string, ref: AssetRef) => (await runners.get()).resultOf(session, ref),
		passages: lazily((all) => all.passages),
		openRunner: async ({ origin }: Pick<ToolContext, "origin">, wish?: RunnerWish): Promise<Runner> =>
			(await runners.get()).runnerOutside(origin as vscode.ChatParticipantToolToken, wish),
		runnerAt: async (...asked: Parameters<Runners["runnerAt"]>) => (await runners.get()).runnerAt(...asked),
		stepsIn: async (origin: unknown): Promise<StepEngine> =>
			(await runners.get()).stepsIn(origin as vscode.ChatParticipantToolToken),
	};
}
