import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Chain, Task } from "../../core/agent/chain.ts";
import type { StepResult } from "./stepResult.ts";

/** A chain read from a journal. The chain may have been cut short when its window closed. */
export interface EarlierRun {
	readonly chain: Chain;
	readonly task: Task;
	readonly results: readonly StepResult[];
	/** Steps whose last start has no recorded end. */
	readonly cutShort: readonly string[];
}

interface Happened {
	readonly at: number;
	readonly events: readonly AgentEvent[];
	readonly runs?: readonly { readonly step: string; readonly ended?: { readonly at: number } }[];
}

export function earlierRun(turns: readonly Happened[]): EarlierRun | undefined {
	for (const turn of turns.toReversed()) {
		const at = turn.events.findLastIndex((event) => event.kind === "chain");
		const started = turn.events[at];
		if (started?.kind !== "chain" || !started.task) continue;
		const { chain, task } = started;
		const events = turn.events.slice(at);
		const ofSteps = events.filter(({ kind }) => kind === "stepFinished" || kind === "stepStarted");
		const ids = chain.stages.flatMap(({ steps }) => steps.map(({ id }) => id));
		const lasts = ids.flatMap((id) => ofSteps.findLast(({ step }) => step === id) ?? []);
		return {
			chain,
			task,
			results: lasts.flatMap((event) => (event.kind === "stepFinished" ? toResult(event, turn) : [])),
			cutShort: lasts.flatMap((event) => (event.kind === "stepStarted" ? (event.step ?? []) : [])),
		};
	}
	return undefined;
}

function toResult(
	{ kind: _, text, step = "", within: __, isCached: ___, ...event }: StepFinished,
	{ at, runs = [] }: Happened,
): StepResult {
	const executedAt = runs.findLast((run) => run.step === step)?.ended?.at ?? at;
	const without = { citations: [], focusAreas: [], hasChanged: false, executedAt };
	return { ...without, ...event, step, output: text };
}

/** Keeps successful steps; with `from`, not that step or later stages. The user must allow `repeated` steps. */
export function resumption(
	{ chain, results, cutShort }: EarlierRun,
	mayChange: (step: string) => boolean,
	from?: string,
) {
	const first = chain.stages.findIndex(({ steps }) => steps.some(({ id }) => id === from));
	const later = new Set(
		first < 0 ? [] : chain.stages.slice(first + 1).flatMap(({ steps }) => steps.map(({ id }) => id)),
	);
	const isKept = ({ step, outcome }: StepResult) =>
		outcome === "succeeded" && step !== from && !later.has(step);
	const changed = results.filter((result) => !isKept(result) && result.hasChanged);
	return {
		kept: results.filter(isKept),
		repeated: [...changed.map(({ step }) => step), ...cutShort.filter(mayChange)],
	};
}

type StepFinished = Extract<AgentEvent, { readonly kind: "stepFinished" }>;

export function eventOf(result: StepResult): StepFinished {
	const { output: text, hasChanged, isLoose: _, ...others } = result;
	return { kind: "stepFinished", text, ...others, ...(hasChanged && { hasChanged }) };
}
