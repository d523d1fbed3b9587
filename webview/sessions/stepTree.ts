import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { StepOutcome } from "../../src/core/agent/chain.ts";
import type { StepRun, Transcript, TranscriptTurn } from "../../src/core/session/session.ts";

/** Milliseconds without an event after which a running step seems to be stuck. */
const STALL = 60_000;

/** `lost`: the step's process ended without a report. `unbegun`: the chain ended before the step began. */
type StepState = StepOutcome | "waiting" | "unbegun" | "working" | "stalled" | "lost";

export interface StepNode {
	readonly step: string;
	readonly agent: string;
	readonly state: StepState;
	/** The step's last attempt; absent if the step has not begun. */
	readonly run?: StepRun;
	/** Duration of the last attempt in milliseconds, so far. */
	readonly age: number;
	/** Tokens of all attempts. */
	readonly tokens: number;
	readonly events: readonly AgentEvent[];
}

/** The stages of the turn's chain, each with its parallel steps; empty without a chain. */
export function stepTree(turn: TranscriptTurn, when: When): StepNode[][] {
	const { runs = [], events } = turn;
	const planned = events.findLast((event) => event.kind === "chain")?.chain.stages ?? [];
	const steps = planned.map((stage) => stage.steps.map(({ id, agent }) => ({ step: id, agent })));
	const known = new Set(steps.flat().map(({ step }) => step));
	// Steps that ran but are no longer in the plan are shown, too.
	const others = runs.filter(({ step }) => !known.has(step) && known.add(step));
	const stages = [...steps, ...others.map((run) => [run])];
	return stages.map((stage) => stage.map((step) => nodeOf(step, turn, when)));
}

interface When {
	readonly now: number;
	readonly isLive: boolean;
}

/** Milliseconds without an event after which a turn no longer counts as running. */
const SILENCE = 120_000;
/** Like `SILENCE`, for a turn with a chain: steps may be silent longer, and each step is watched. */
const CHAIN_SILENCE = 600_000;

export function isLiveTurn({ session, turns }: Transcript, turn: TranscriptTurn, now: number): boolean {
	return turn === turns.at(-1) && now - session.updatedAt < (turn.runs ? CHAIN_SILENCE : SILENCE);
}

/** The last turn with a chain, which can be resumed; `undefined` while the turn runs. */
export function resumableTurn(transcript: Transcript, now: number): TranscriptTurn | undefined {
	const turn = transcript.turns.findLast(({ events }) => events.some(({ kind }) => kind === "chain"));
	const isAtWork = turn && turn.outcome === undefined && isLiveTurn(transcript, turn, now);
	return isAtWork ? undefined : turn;
}

export function isWhole(stages: readonly (readonly StepNode[])[]): boolean {
	return stages.flat().every(({ state }) => state === "succeeded" || state === "skipped");
}

function nodeOf(
	{ step, agent }: { readonly step: string; readonly agent: string },
	{ runs = [], events, outcome }: TranscriptTurn,
	{ now, isLive }: When,
): StepNode {
	const tries = runs.filter((run) => run.step === step);
	const run = tries.at(-1);
	const ending = events.findLast((event) => event.kind === "stepFinished" && event.step === step);
	const isAtWork = isLive && outcome === undefined;
	return {
		step,
		agent,
		state: stateOf(run, ending, { now, isLive: isAtWork }),
		...(run && { run }),
		age: run ? (run.ended?.at ?? (isAtWork ? now : run.heardAt)) - run.startedAt : 0,
		tokens: tries.reduce((sum, { tokens }) => sum + tokens, 0),
		events: events.filter((event) => event.step === step),
	};
}

function stateOf(run: StepRun | undefined, ending: AgentEvent | undefined, { now, isLive }: When): StepState {
	// A skipped step, or a step with a cached result, ends without a start.
	if (!run && ending?.kind === "stepFinished") return ending.outcome;
	if (!run) return isLive ? "waiting" : "unbegun";
	if (run.ended) return run.ended.outcome;
	if (!isLive) return "lost";
	return now - run.heardAt > STALL ? "stalled" : "working";
}
