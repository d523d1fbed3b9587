import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { Chain } from "../../src/core/agent/chain.ts";
import { type ChainRun, runChain } from "../../src/orchestrator/run/runChain.ts";
import type { RunPorts } from "../../src/orchestrator/run/runStep.ts";
import { type Act, finish, manualClock, runOf, scriptedRunner } from "./scripted.ts";

export const reads = (path: string): AgentEvent => ({
	kind: "toolStarted",
	call: { id: path, name: "view", input: { path } },
});

export async function run(
	chain: Chain,
	acts: Readonly<Record<string, Act>> = {},
	more: {
		readonly writers?: readonly string[];
		readonly run?: Partial<ChainRun>;
		readonly ports?: Partial<RunPorts>;
		readonly signal?: AbortSignal;
	} = {},
) {
	const runner = scriptedRunner(acts);
	const clock = manualClock();
	const events: AgentEvent[] = [];
	const ports = { runner, clock, show: (event: AgentEvent) => void events.push(event) };
	const signal = more.signal ?? new AbortController().signal;
	const { agents, ...given } = runOf(chain, more.run);
	const readers = [...agents].map(([name, agent]) => {
		return [name, more.writers?.includes(name) ? agent : { tools: ["view"], ...agent }] as const;
	});
	const work = runChain({ ...given, agents: new Map(readers) }, { ...ports, ...more.ports }, signal);
	return { report: await finish(work, clock), events, runner, clock };
}

export const outcomes = (report: Awaited<ReturnType<typeof run>>["report"]) =>
	report.results.map(({ step, outcome }) => `${step} ${outcome}`);
