import type { AgentEvent, StepRequest, StepRunner } from "../../src/core/agent/agentEvent.ts";
import type { AgentDefinition, Chain, ChainLimits, ChainStep, Stage } from "../../src/core/agent/chain.ts";
import type { Clock } from "../../src/orchestrator/run/clock.ts";
import { type ChainRun, runChain } from "../../src/orchestrator/run/runChain.ts";
import type { RunPorts } from "../../src/orchestrator/run/runStep.ts";

export const LIMITS: ChainLimits = { depth: 1, tokens: 100_000, time: 3_600_000, concurrency: 4 };

export function agentNamed(name: string, more: Partial<AgentDefinition> = {}): AgentDefinition {
	return {
		name,
		description: `What ${name} does`,
		keywords: [],
		handoffs: [],
		servers: [],
		mayBeChosen: true,
		mayBeAsked: true,
		persona: `You are ${name}.`,
		source: { uri: `file:///w/.github/agents/${name}.md`, level: "workspace", hash: name },
		...more,
	};
}

/** Builds a chain of one stage per entry; steps are named by their agents, and inner lists share a stage. */
export function chainOf(
	stages: readonly (string | readonly (string | Partial<ChainStep>)[])[],
	more: Partial<Chain> & { readonly untils?: Readonly<Record<number, Stage["until"]>> } = {},
): Chain {
	const { untils = {}, ...rest } = more;
	return {
		onFailure: "continue",
		...rest,
		stages: stages.map((steps, index): Stage => {
			const until = untils[index];
			return { steps: [steps].flat().map(stepOf), ...(until && { until }) };
		}),
	};
}

function stepOf(step: string | Partial<ChainStep>): ChainStep {
	if (typeof step === "string") return { id: step, agent: step };
	return { id: step.agent ?? "", agent: step.id ?? "", ...step };
}

export function runOf(chain: Chain, more: Partial<ChainRun> = {}): ChainRun {
	const names = chain.stages.flatMap(({ steps }) => steps.map(({ agent }) => agent));
	return {
		chain,
		task: { prompt: "Review it", refined: "Review src/a.ts", isClear: false, changes: ["named a file"] },
		agents: new Map(names.map((name) => [name, agentNamed(name)])),
		scope: { limits: LIMITS },
		timeout: 300_000,
		...more,
	};
}

export type Act = (step: StepRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;

/** Creates an engine with scripted agents; other agents answer immediately. */
export function scriptedRunner(acts: Readonly<Record<string, Act>>) {
	const seen: StepRequest[] = [];
	let active = 0;
	let most = 0;
	const run: StepRunner["run"] = async function* (step, signal) {
		seen.push(step);
		most = Math.max(most, ++active);
		try {
			yield* (acts[step.agent.name] ?? says(`${step.agent.name} answers`))(step, signal);
		} finally {
			active--;
		}
	};
	return { seen, most: () => most, run };
}

export function says(text: string, ...more: readonly AgentEvent[]): Act {
	return async function* () {
		yield* more;
		yield { kind: "text", text };
		yield { kind: "ended", reason: "done" };
	};
}

export function throws(thrown: Error): Act {
	return async function* () {
		yield await Promise.reject<AgentEvent>(thrown);
	};
}

export const hangs: Act = async function* (_step, signal) {
	yield { kind: "text", text: "so far" };
	await new Promise<void>((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve());
	});
	signal.throwIfAborted();
};

export const ignoresStop: Act = async function* () {
	yield { kind: "text", text: "so far" };
	await new Promise<void>(() => undefined);
};

/** Uses one act per attempt, and the last one for all further attempts. */
export function inTurn(...acts: readonly Act[]): Act {
	let at = 0;
	return (...given) => (acts[Math.min(at++, acts.length - 1)] as Act)(...given);
}

/** Creates a clock that jumps to the next awaited time once everything is waiting. */
export function manualClock(): Clock & { readonly waits: number[]; pass(): Promise<void> } {
	let now = Date.parse("2026-01-15T10:30:00Z");
	const waits: number[] = [];
	const waiting = new Map<() => void, number>();
	return {
		waits,
		now: () => now,
		wait: (milliseconds, signal) =>
			new Promise((resolve) => {
				if (signal.aborted) return resolve();
				waits.push(milliseconds);
				const end = () => {
					waiting.delete(end);
					resolve();
				};
				waiting.set(end, now + milliseconds);
				signal.addEventListener("abort", end);
			}),
		pass: async () => {
			for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
			const next = [...waiting].sort(([, a], [, b]) => a - b)[0];
			if (!next) return;
			now = next[1];
			next[0]();
		},
	};
}

export async function finish<Result>(work: Promise<Result>, clock: ReturnType<typeof manualClock>) {
	let isDone = false;
	const done = work.finally(() => {
		isDone = true;
	});
	done.catch(() => undefined);
	while (!isDone) await clock.pass();
	return done;
}

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
