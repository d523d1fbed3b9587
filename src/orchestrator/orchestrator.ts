import { Failure, isFailure } from "../base/failure.ts";
import { numeral } from "../base/text/plural.ts";
import { visibleText } from "../base/text/visibleText.ts";
import type { AgentEvent, RunScope, StepRunner } from "../core/agent/agentEvent.ts";
import { agentsAt } from "../core/agent/agentNames.ts";
import type { AgentDefinition, AgentFiles, AgentRegistry, Chain, ChainLimits } from "../core/agent/chain.ts";
import { type Evaluation, evaluate, LONGEST_PROMPT } from "./evaluate/evaluate.ts";
import { type FindNames, isBroad, refine } from "./evaluate/refine.ts";
import { CHAINS_FOLDER, readChainFile } from "./plan/chainFile.ts";
import { agentsOfChain, withAgentNames } from "./plan/chainText.ts";
import {
	chainFor,
	type Plan,
	type PlanInputs,
	type Preference,
	planChain,
	withPreference,
} from "./plan/plan.ts";
import { type EarlierRun, eventOf, resumption } from "./run/earlierRun.ts";
import { runChain } from "./run/runChain.ts";
import type { ResultCache } from "./run/runStep.ts";
import { systemClock } from "./run/scope.ts";
import type { StepResult } from "./run/stepResult.ts";
import { selectAgents } from "./select/selectAgents.ts";
import { partsOfTask } from "./select/taskParts.ts";

export interface OrchestratorPorts {
	registry(signal: AbortSignal): Promise<AgentRegistry>;
	/** Finds names in the index for words of a prompt. Rejects if there is no index. */
	readonly findNames: FindNames;
	readonly fits: AgentFiles["fits"];
	/** Reads the text of a saved chain; `undefined` if there is no such chain. */
	readChain(name: string, signal: AbortSignal): Promise<string | undefined>;
	/** Creates the runner for one chain's steps. Rejects with a `Failure` if no engine can run an agent. */
	runner(caller: Caller): Promise<StepRunner>;
	readonly preferences?: { all(): readonly Preference[]; keep(all: readonly Preference[]): Promise<void> };
	readonly cache?: ResultCache;
	/** Storage of chains for callers without a session; missing if a session's journal stores chains. */
	readonly checkpoints?: {
		/** Starts to store one chain. `keep` immediately writes events to the file at `path`. */
		begin(): Promise<{
			readonly id: string;
			readonly path: string;
			keep(events: readonly AgentEvent[]): void;
		}>;
		/** Reads a chain by its id or as `last`; `undefined` if there is no such chain. */
		read(id: string): Promise<EarlierRun | undefined>;
	};
	limits(): ChainLimits;
	/** Returns the time limit for one attempt of a step, in milliseconds. */
	timeout(): number;
}

interface ResumeWish {
	readonly earlier: EarlierRun | string;
	/** Id of a step to run again, together with all later stages. */
	readonly from?: string | undefined;
	/** Asks the user before steps run again that may have changed something. Rejects if the user refuses. */
	allowRepeat(steps: readonly string[]): Promise<void>;
}

export interface Caller {
	/** Id of the session in which the chain is a turn; missing outside a session. */
	readonly session?: string;
	/** The host's own object for the chat request. */
	readonly origin?: unknown;
}

interface Asked {
	readonly prompt: string;
	readonly chain?: Chain | undefined;
	/** Scope of the calling step, which also limits the chain that it starts. */
	readonly scope?: RunScope | undefined;
}

export interface Draft extends PlanInputs {
	readonly plan: Plan;
}

interface RunOptions extends Caller {
	readonly kept?: readonly StepResult[];
	readonly isFresh?: boolean;
	show(event: AgentEvent): void;
}

export type Orchestrator = ReturnType<typeof createOrchestrator>;

export function createOrchestrator(ports: OrchestratorPorts) {
	return {
		registry: ports.registry,
		/**
		 * Plans the remaining steps of an earlier chain. Rejects with NOT_FOUND if the chain or step does not exist.
		 */
		resume: (wish: ResumeWish, scope: RunScope | undefined, signal: AbortSignal) =>
			resume(ports, wish, scope, signal),
		/** Rejects with NOT_FOUND, or with BAD_INPUT if the file of the chain is invalid. */
		chain: (name: string, signal: AbortSignal) => savedChain(ports, name, signal),
		/** Evaluates a prompt and selects agents. Rejects with BAD_INPUT if the prompt is empty or too long. */
		judge: (prompt: string, scope: RunScope | undefined, signal: AbortSignal) =>
			judge(ports, { prompt, scope }, signal),
		/**
		 * Without a given chain, rejects with BAD_INPUT if the prompt is unclear, and with NOT_FOUND if no agent fits.
		 */
		plan: (asked: Asked, signal: AbortSignal) => plan(ports, asked, signal),
		/** Plans a changed chain for the same draft. Throws NOT_FOUND if the chain names an unknown agent. */
		replan: (draft: Draft, chain: Chain) => {
			requireMayStart(chain, draft);
			return { ...draft, plan: planChain(draft, { chain }) };
		},
		remember: async ({ isSelected, selection, plan: { chain } }: Draft) => {
			if (!isSelected || !ports.preferences) return;
			const change = { chain, at: Date.now() };
			await ports.preferences.keep(withPreference(ports.preferences.all(), selection, change));
		},
		/** Runs the draft's chain. With checkpoints, the report names the file that stores the chain. */
		run: async (draft: Draft, { kept, isFresh, show, ...caller }: RunOptions, signal: AbortSignal) => {
			const { scope, agents } = draft;
			const { task, chain } = draft.plan;
			const named = agentsOfChain(chain, agents);
			const run = { chain, task, agents: named, scope, timeout: ports.timeout(), kept };
			const runner = await ports.runner(caller);
			// A chain that a step starts is stored as part of that step.
			const checkpoint = scope.onSpent ? undefined : await ports.checkpoints?.begin();
			const tell = (event: AgentEvent) => {
				// Kept results are written together with the chain, so that a crash cannot lose them.
				checkpoint?.keep(event.kind === "chain" ? [event, ...(kept ?? []).map(eventOf)] : [event]);
				show(event);
				scope.onEvent?.(event);
			};
			const cache = isFresh ? undefined : ports.cache;
			const report = await runChain(run, { runner, clock: systemClock, cache, show: tell }, signal);
			return { ...report, ...(checkpoint && { kept: checkpoint }) };
		},
	};
}

async function resume(
	ports: OrchestratorPorts,
	wish: ResumeWish,
	scope: RunScope | undefined,
	signal: AbortSignal,
) {
	const { from, allowRepeat } = wish;
	const earlier =
		typeof wish.earlier === "string" ? await ports.checkpoints?.read(wish.earlier) : wish.earlier;
	if (!earlier)
		throw new Failure("NOT_FOUND", `No chain ${visibleText(`${wish.earlier}`.slice(0, 100))} is kept here.`);
	const { chain, task } = earlier;
	if (from !== undefined && !chain.stages.some(({ steps }) => steps.some((step) => step.id === from)))
		throw new Failure("NOT_FOUND", `That chain has no step ${visibleText(from.slice(0, 100))}.`);
	const draft = await plan(ports, { prompt: task.prompt, chain, scope }, signal);
	const mayChange = (step: string) => draft.plan.steps.some((one) => one.id === step && one.mayChange);
	const { kept, repeated } = resumption(earlier, mayChange, from);
	if (repeated.length > 0) await allowRepeat(repeated);
	return { draft: { ...draft, plan: { ...draft.plan, task } }, kept, isFresh: from !== undefined };
}

const CHAIN_NAME = /^[A-Za-z0-9-]{1,100}$/;

async function savedChain(ports: OrchestratorPorts, name: string, signal: AbortSignal): Promise<Chain> {
	const text = CHAIN_NAME.test(name) ? await ports.readChain(name, signal) : undefined;
	const shown = visibleText(name.slice(0, 100));
	if (text === undefined) throw new Failure("NOT_FOUND", `There is no chain ${shown} in ${CHAINS_FOLDER}.`);
	const { chain, problems } = readChainFile(text, name);
	if (chain) return chain;
	const [problem] = problems;
	const where = `${CHAINS_FOLDER}/${name}.yaml:${problem?.line ?? 1}`;
	throw new Failure("BAD_INPUT", `The chain cannot be read. ${where}: ${problem?.message}`);
}

async function judge(ports: OrchestratorPorts, { prompt, scope, chain }: Asked, signal: AbortSignal) {
	requirePrompt(prompt);
	const evaluation = evaluate(prompt);
	const { agents: all } = await ports.registry(signal);
	const agents = all.filter((agent) => mayStart(scope, agent));
	const tasks = [evaluation.prompt, ...partsOfTask(evaluation.prompt)];
	const [found, fits] = await Promise.all([
		namesFor(evaluation, ports, signal),
		agents.length > 0 && !chain ? ports.fits(tasks, signal) : [],
	]);
	const selection = selectAgents(fits, agents, evaluation.prompt);
	return { evaluation, refinement: refine(evaluation, found), selection };
}

async function plan(ports: OrchestratorPorts, asked: Asked, signal: AbortSignal): Promise<Draft> {
	const { scope: given } = asked;
	const scope = below(given, ports.limits());
	const { agents } = await ports.registry(signal);
	const chain = asked.chain && withAgentNames(asked.chain, agents);
	if (chain) requireMayStart(chain, { agents, scope });
	const judged = await judge(ports, asked, signal);
	const parts = { ...judged, scope, agents, isSelected: chain === undefined };
	// If the user named a chain, the prompt is not refined.
	const asWritten = { prompt: judged.evaluation.prompt, changes: [] };
	if (chain) {
		const named = { ...parts, refinement: asWritten };
		return { ...named, plan: planChain(named, { chain }) };
	}
	const { evaluation, selection } = judged;
	if (evaluation.question !== undefined) throw new Failure("BAD_INPUT", evaluation.question);
	if (selection.chosen.length === 0) throw new Failure("NOT_FOUND", selection.rationale);
	const known = given ? [] : (ports.preferences?.all() ?? []);
	return { ...parts, plan: planChain(parts, chainFor(selection, known, agents)) };
}

function requirePrompt(prompt: string): void {
	if (prompt.trim() === "") throw new Failure("BAD_INPUT", "The prompt is empty: say what to do.");
	if (prompt.length <= LONGEST_PROMPT) return;
	const most = numeral(LONGEST_PROMPT);
	const message = `The prompt has more than ${most} characters. Put the rest into a file, and name the file.`;
	throw new Failure("BAD_INPUT", message);
}

const TOO_DEEP =
	"A step of a chain may not start a chain as deep as this one. Do the task yourself, or say what another agent should do.";

/** Returns limits one level below the calling step. A request of the user has the full limits. */
function below(scope: RunScope | undefined, limits: ChainLimits): RunScope {
	if (!scope) return { limits };
	if (scope.limits.depth <= 0) throw new Failure("NOT_ALLOWED", TOO_DEEP);
	const { depth, tokens, time, concurrency } = scope.limits;
	return {
		...scope,
		limits: {
			depth: Math.min(depth - 1, limits.depth),
			tokens: Math.min(tokens, limits.tokens),
			time: Math.min(time, limits.time),
			concurrency: Math.min(concurrency, limits.concurrency),
		},
	};
}

export function mayStart(scope: RunScope | undefined, agent: AgentDefinition): boolean {
	return scope?.agents?.some((address) => agentsAt(address, [agent]).length > 0) ?? true;
}

function requireMayStart(
	chain: Chain,
	{ agents, scope }: { readonly agents: readonly AgentDefinition[]; readonly scope: RunScope },
): void {
	const other = [...agentsOfChain(chain, agents).values()].find((agent) => !mayStart(scope, agent));
	if (!other) return;
	const may = scope.agents?.length ? `only ${scope.agents.join(", ")}` : "none";
	throw new Failure("NOT_ALLOWED", `This step may not start ${other.name}: it may start ${may} agents.`);
}

/** Returns no names if there is no index, so that the prompt stays unchanged. */
async function namesFor(
	{ isClear, facts }: Evaluation,
	{ findNames }: OrchestratorPorts,
	signal: AbortSignal,
): ReturnType<FindNames> {
	if (!isClear || !isBroad(facts)) return [];
	return findNames(facts.telling.slice(0, MOST_WORDS), signal).catch((thrown: unknown) => {
		if (isFailure(thrown)) return [];
		throw thrown;
	});
}

const MOST_WORDS = 8;
