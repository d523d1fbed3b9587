import { join } from "node:path";
import { createSessionJournal } from "../../src/agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import type { AgentDefinition } from "../../src/core/agent/chain.ts";
import type { StepEngine } from "../../src/core/agent/tool.ts";
import { createOrchestrator } from "../../src/orchestrator/orchestrator.ts";
import { chainOfNames } from "../../src/orchestrator/plan/chainText.ts";
import { createStepRunner } from "../../src/vscode/steps/stepRunner.ts";
import { createLiveTurns } from "../../src/vscode/turn/turnRecord.ts";
import { openHome } from "./openHome.ts";
import { type Latency, latencyOf, timed } from "./timing.ts";

/** Number of sequential steps of one chain; each gets the answers of all earlier steps. */
const STEPS = 20;
const ROUNDS = 10;

const never = new AbortController().signal;

/** Measures a step of a chain whose engine answers at once, including the journals of step and chain. */
export async function measureSteps(home: string, agents: readonly AgentDefinition[]): Promise<Latency> {
	const { sessions, close } = await openHome(join(home, "sessions"));
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => "" });
	const orchestrator = orchestratorOf(agents, journal);
	const chain = chainOfNames(agents.slice(0, STEPS).map(({ name }) => [name]));
	const times: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const turn = await journal.begin(`chain-${round}`, { text: "Do it", attachments: [], isFirst: true });
		const draft = await orchestrator.plan({ prompt: "Review src/part.ts for security", chain }, never);
		const show = (event: AgentEvent) => turn.note(event);
		const run = await timed(() => orchestrator.run(draft, { show, session: `chain-${round}` }, never));
		await turn.end({ text: run.result.context.finalOutput, outcome: "done" });
		const done = run.result.results.filter(({ outcome }) => outcome === "succeeded").length;
		if (done !== STEPS) throw new Error(`${done} of ${STEPS} steps succeeded.`);
		times.push(run.ms / STEPS);
	}
	await close();
	return latencyOf(times);
}

function orchestratorOf(
	agents: readonly AgentDefinition[],
	journal: ReturnType<typeof createSessionJournal>,
) {
	const log = { error: (...words: unknown[]) => console.error(...words) };
	const live = createLiveTurns();
	return createOrchestrator({
		registry: async () => ({ agents, problems: [] }),
		fits: async (tasks) => tasks.map(() => []),
		findNames: async () => [],
		readChain: async () => undefined,
		runner: async ({ session: chain = "" }) =>
			createStepRunner({ engine: ANSWERING, chain, journal, live, log }),
		limits: () => ({ depth: 1, tokens: 1e9, time: 1e9, concurrency: 3 }),
		timeout: () => 300_000,
	});
}

const ANSWERING: StepEngine = {
	kind: "model",
	runnerFor: () =>
		async function* run() {
			yield { kind: "text", text: "Nothing is wrong with it. ".repeat(20) };
			yield { kind: "usage", inputTokens: 900, outputTokens: 120 };
			yield { kind: "ended", reason: "done" };
		},
};
