import { createCallsAtWork } from "../../base/jobs/callsAtWork.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import type { AgentEvent, RunScope } from "../../core/agent/agentEvent.ts";
import { onlyRead } from "../../core/agent/allowedTools.ts";
import type {
	AgentDefinition,
	Chain,
	ChainContext,
	ChainStep,
	Stage,
	StepOutcome,
	Task,
} from "../../core/agent/chain.ts";
import { eventOf } from "./earlierRun.ts";
import { type RunPorts, runStep } from "./runStep.ts";
import { agentsOf, createBudget, toolsOf } from "./scope.ts";
import { stepPrompt } from "./stepPrompt.ts";
import { contextOf, holds, type StepResult, synthesize } from "./stepResult.ts";

export interface ChainRun {
	readonly chain: Chain;
	readonly task: Task;
	readonly agents: ReadonlyMap<string, AgentDefinition>;
	readonly scope: RunScope;
	/** Default time limit for one attempt of a step, in milliseconds. */
	readonly timeout: number;
	/** Results from an earlier run of the same chain, whose steps do not run again. */
	readonly kept?: readonly StepResult[] | undefined;
}

export interface ChainReport {
	readonly context: ChainContext;
	readonly results: readonly StepResult[];
	/** `stopped` after a decisive failure, without any success, at an unmet loop condition, or at a limit. */
	readonly outcome: "done" | "stopped" | "cancelled";
}

type Running = ReturnType<typeof begin>;

/** Runs the stages in sequence. Resolves even if steps fail or the user cancels; the report states the outcome. */
export async function runChain(run: ChainRun, ports: RunPorts, signal: AbortSignal): Promise<ChainReport> {
	const running = begin(run, ports, signal);
	const { results, rounds } = running;
	const { stages } = run.chain;
	let reason: string | undefined;
	ports.show({ kind: "chain", chain: run.chain, task: run.task });
	for (let at = 0; at < stages.length; ) {
		reason ??= whyNotGoOn(running);
		results.push(...(await runStage(running, stages[at] as Stage, reason)));
		at = reason === undefined ? nextStage(running, at) : at + 1;
	}
	const unmet = [...rounds.keys()].flatMap((at) => unmetOf(stages[at], results));
	const finalOutput = [synthesize(results), ...unmet].join("\n\n");
	const outcome = signal.aborted ? "cancelled" : "stopped";
	reason ??= whyNotGoOn(running);
	const hasSucceeded = results.some((result) => result.outcome === "succeeded");
	const isWhole = reason === undefined && unmet.length === 0 && hasSucceeded;
	return { context: contextOf(run.task, results, finalOutput), results, outcome: isWhole ? "done" : outcome };
}

function begin(run: ChainRun, ports: RunPorts, signal: AbortSignal) {
	const results: StepResult[] = [];
	return {
		run,
		ports: { ...ports, budget: createBudget(run.scope, ports.clock) },
		signal,
		/** Limits the number of concurrent steps. `writing` admits one step at a time that may change something. */
		sideBySide: createCallsAtWork(Math.max(1, run.scope.limits.concurrency)),
		writing: createMutex(),
		kept: new Map(run.kept?.map((result) => [result.step, result])),
		attempts: new Map<string, number>(),
		results,
		rounds: new Map<number, number>(),
	};
}

function whyNotGoOn({ run, signal, ports, results }: Running): string | undefined {
	if (signal.aborted) return "The run was canceled.";
	const shortage = ports.budget.shortage();
	if (shortage !== undefined) return shortage;
	const loose = results.find(({ isLoose }) => isLoose);
	if (loose) return `${loose.step} may still be changing something: it did not end when it was stopped.`;
	const bad = results.find(({ outcome }) => outcome === "failed" || outcome === "timedOut");
	if (!bad || run.chain.onFailure !== "stop") return undefined;
	return `The chain stops if a step fails, and ${bad.step} failed.`;
}

function nextStage({ run, results, rounds }: Running, at: number): number {
	const until = run.chain.stages[at]?.until;
	const done = rounds.get(at) ?? 0;
	if (!until || done >= until.max || holds(until.condition, results)) return at + 1;
	rounds.set(at, done + 1);
	return Math.min(at, Math.max(0, until.from ?? at));
}

function unmetOf(stage: Stage | undefined, results: readonly StepResult[]): string[] {
	const { until } = stage ?? {};
	if (!until || holds(until.condition, results)) return [];
	return [
		`The loop ended after ${until.max} rounds, but its condition on the step ${until.condition.step} was not met.`,
	];
}

/** Runs the steps of a stage concurrently with results of earlier stages. Given a `reason`, skips them all. */
async function runStage(running: Running, { steps }: Stage, reason: string | undefined) {
	const runs = steps.map(async (step) => {
		const kept = running.kept.get(step.id);
		running.kept.delete(step.id);
		const unmet = step.when && !holds(step.when, running.results) ? "Its condition is not met." : undefined;
		const why = reason ?? unmet;
		const skipped = why === undefined ? undefined : notRun(running, step, "skipped", why);
		const done = kept ? { ...kept, isCached: true } : skipped;
		const result = done ?? (await runWhenFree(running, step, steps.length));
		running.ports.show(eventOf(result));
		return result;
	});
	return Promise.all(runs);
}

async function runWhenFree(running: Running, step: ChainStep, beside: number): Promise<StepResult> {
	const agent = running.run.agents.get(step.agent);
	if (!agent) return notRun(running, step, "failed", `There is no agent ${step.agent}.`);
	const tools = toolsOf(agent, step, running.run.scope);
	// The wait itself cannot be canceled, because `start` returns a canceled result afterwards.
	const never = new AbortController().signal;
	const run = () => start(running, { step, agent, tools }, beside);
	const act = () => running.sideBySide.during("step", run, never);
	return onlyRead(tools) ? act() : running.writing.run(act);
}

/** Checks cancellation and budget again, because the step may have waited. */
async function start(
	running: Running,
	{ step, agent, tools }: { step: ChainStep; agent: AgentDefinition; tools: readonly string[] | undefined },
	beside: number,
): Promise<StepResult> {
	const { run, ports, signal, attempts, results } = running;
	if (signal.aborted) return notRun(running, step, "cancelled", "It was canceled.");
	const shortage = ports.budget.shortage();
	if (shortage !== undefined) return notRun(running, step, "skipped", shortage);
	const left = ports.budget.left();
	const outputs = new Map(results.map((result) => [result.step, result.output]));
	const asked = { task: run.task.refined, own: step.prompt, outputs };
	const ready = {
		id: step.id,
		agent,
		prompt: stepPrompt(asked, agent, contextOf(run.task, results).agentResults),
		timeout: step.timeout ?? run.timeout,
		nextAttempt: () => {
			const attempt = (attempts.get(step.id) ?? 0) + 1;
			attempts.set(step.id, attempt);
			return attempt;
		},
		scope: {
			limits: { ...left, tokens: Math.ceil(left.tokens / beside) },
			onSpent: ports.budget.spend,
			...eventsBelow(step, run.scope),
			tools,
			agents: agentsOf(agent, run.scope),
		},
	};
	return runStep(ready, ports, signal);
}

/** Forwards events of a nested chain, with the ids of both steps: `outer/inner`. */
function eventsBelow({ id }: ChainStep, { onEvent }: RunScope) {
	const tell = (event: AgentEvent) => onEvent?.({ ...event, step: event.step ? `${id}/${event.step}` : id });
	return onEvent && { onEvent: tell };
}

function notRun({ ports }: Running, { id: step, agent }: ChainStep, outcome: StepOutcome, output: string) {
	const nothing = { focusAreas: [], citations: [], hasChanged: false };
	return { ...nothing, step, agent, outcome, output, executedAt: ports.clock.now() };
}
