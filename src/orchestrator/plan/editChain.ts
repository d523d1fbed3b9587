import type { Chain, ChainStep, Condition, Stage } from "../../core/agent/chain.ts";
import { newStep, takeId } from "./chainText.ts";

export type ChainEdit =
	| { readonly kind: "earlier" | "later" | "drop" | "beside" | "alone"; readonly step: string }
	| { readonly kind: "add"; readonly agent: string };

/** An edit of an unknown step changes nothing. `beside` moves a step into the previous stage. */
export function editChain(chain: Chain, edit: ChainEdit): Chain {
	if (edit.kind === "add") {
		const step = newStep(edit.agent, new Set(stepsOf(chain).map(({ id }) => id)));
		return withStages(chain, [...chain.stages, { steps: [step] }]);
	}
	const at = chain.stages.findIndex(({ steps }) => steps.some(({ id }) => id === edit.step));
	const step = chain.stages[at]?.steps.find(({ id }) => id === edit.step);
	return step ? withStages(chain, EDITS[edit.kind](chain.stages, at, step)) : chain;
}

type StageEdit = (stages: readonly Stage[], at: number, step: ChainStep) => readonly Stage[];

const EDITS: Readonly<Record<Exclude<ChainEdit["kind"], "add">, StageEdit>> = {
	drop: (stages, at, step) => stages.with(at, without(stages[at], step)),
	earlier: (stages, at) => (at === 0 ? stages : swapped(stages, at - 1)),
	later: (stages, at) => (at >= stages.length - 1 ? stages : swapped(stages, at)),
	beside: (stages, at, step) => {
		const before = stages[at - 1];
		if (!before) return stages;
		const joined = { ...before, steps: [...before.steps, step] };
		return stages.with(at, without(stages[at], step)).with(at - 1, joined);
	},
	alone: (stages, at, step) =>
		(stages[at]?.steps.length ?? 0) < 2
			? stages
			: stages.with(at, without(stages[at], step)).toSpliced(at + 1, 0, { steps: [step] }),
};

function swapped(stages: readonly Stage[], at: number): readonly Stage[] {
	const [one, other] = [stages[at], stages[at + 1]];
	return one && other ? stages.with(at, other).with(at + 1, one) : stages;
}

function without(stage: Stage | undefined, step: ChainStep): Stage {
	return { ...stage, steps: stage?.steps.filter(({ id }) => id !== step.id) ?? [] };
}

export function stepsOf({ stages }: Chain): ChainStep[] {
	return stages.flatMap(({ steps }) => steps);
}

/** Renames steps whose ids are taken, and adds the chain's ids to `taken`. */
export function withFreeIds(chain: Chain, taken: Set<string>): Chain {
	const ids = new Map(stepsOf(chain).map(({ id }) => [id, takeId(id, taken)]));
	const renamed = (id: string) => ids.get(id) ?? id;
	const asking = <Asked extends Condition>(condition: Asked): Asked => ({
		...condition,
		step: renamed(condition.step),
	});
	return {
		...chain,
		stages: chain.stages.map(({ steps, until }) => ({
			steps: steps.map(({ when, ...step }) => {
				return { ...step, id: renamed(step.id), ...(when && { when: asking(when) }) };
			}),
			...(until && { until: { ...until, condition: asking(until.condition) } }),
		})),
	};
}

/** Removes empty stages, and conditions on steps that no longer come before, which could never be met. */
function withStages(chain: Chain, changed: readonly Stage[]): Chain {
	const stages = changed.filter(({ steps }) => steps.length > 0);
	const before = new Set<string>();
	return {
		...chain,
		stages: stages.map(({ steps, until }) => {
			const known = steps.map(({ when, ...step }) =>
				when && before.has(when.step) ? { ...step, when } : step,
			);
			for (const { id } of steps) before.add(id);
			const isKnown = until && before.has(until.condition.step);
			const from = until?.from === undefined ? {} : { from: Math.min(until.from, stages.length - 1) };
			return { steps: known, ...(isKnown && { until: { ...until, ...from } }) };
		}),
	};
}
