import type { AgentEvent, StepRequest, StepRunner } from "../../src/core/agent/agentEvent.ts";
import type { AgentDefinition, Chain, ChainLimits, ChainStep, Stage } from "../../src/core/agent/chain.ts";
import { type ChainRun, runChain } from "../../src/orchestrator/run/runChain.ts";
import type { RunPorts } from "../../src/orchestrator/run/runStep.ts";
import type { Clock } from "../../src/orchestrator/run/scope.ts";

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

/** Writes the steps of a chain as `a > b & c`. */
export const orderOf = ({ stages }: Chain) =>
	stages.map(({ steps }) => steps.map(({ id }) => id).join(" & ")).join(" > ");

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

/** Uses one act per attempt, and the last one for all further attempts. */
export function inTurn(...acts: readonly Act[]): Act {
	let at = 0;
	return (...given) => (acts[Math.min(at++, acts.length - 1)] as Act)(...given);
}

/** Creates a clock that jumps to the next awaited time once everything is waiting. */
function manualClock(): Clock & { readonly waits: number[]; pass(): Promise<void> } {
	let now = Date.parse("2026-01-15T10:30:00Z");
	const waits: number[] = [];
	const waiting = new Map<() => void, number>();
	return {
		waits,
		now: () => now,
		wait: async (milliseconds, signal) => {
			if (signal.aborted) return;
			waits.push(milliseconds);
			const { promise, resolve } = Promise.withResolvers<void>();
			waiting.set(resolve, now + milliseconds);
			signal.addEventListener("abort", () => resolve());
			await promise;
			waiting.delete(resolve);
		},
		pass: async () => {
			for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
			const [next] = [...waiting].sort(([, a], [, b]) => a - b);
			if (!next) return;
			now = next[1];
			next[0]();
		},
	};
}

export const reads = (path: string): AgentEvent => ({
	kind: "toolStarted",
	call: { id: path, name: "view", input: { path } },
});

interface RunOptions {
	/** Agents that may change something. */
	readonly writers?: readonly string[];
	readonly run?: Partial<ChainRun>;
	readonly ports?: Partial<RunPorts>;
	readonly signal?: AbortSignal;
}

export async function run(
	chain: Chain,
	acts: Readonly<Record<string, Act>> = {},
	{ writers, signal = new AbortController().signal, ...more }: RunOptions = {},
) {
	const runner = scriptedRunner(acts);
	const clock = manualClock();
	const events: AgentEvent[] = [];
	const ports = { runner, clock, show: (event: AgentEvent) => void events.push(event) };
	const { agents, ...given } = runOf(chain, more.run);
	const readers = [...agents].map(([name, agent]) => {
		return [name, writers?.includes(name) ? agent : { tools: ["view"], ...agent }] as const;
	});
	let isDone = false;
	const end = () => {
		isDone = true;
	};
	const work = runChain({ ...given, agents: new Map(readers) }, { ...ports, ...more.ports }, signal);
	work.then(end, end);
	while (!isDone) await clock.pass();
	const report = await work;
	const ran = runner.seen.map(({ id }) => id).join(" ");
	return { ...runner, report, outcomes: outcomes(report).join(", "), ran, events, clock };
}

export const outcomes = ({ results }: Awaited<ReturnType<typeof runChain>>) =>
	results.map(({ step, outcome }) => `${step} ${outcome}`);
