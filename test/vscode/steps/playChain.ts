import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { Chain } from "../../../src/core/agent/chain.ts";
import type { StepEngine } from "../../../src/core/agent/tool.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { systemClock } from "../../../src/orchestrator/run/clock.ts";
import { type ChainRun, runChain } from "../../../src/orchestrator/run/runChain.ts";
import { createStepRunner } from "../../../src/vscode/steps/stepRunner.ts";
import { createLiveTurns, type LiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { runOf } from "../../orchestrator/scripted.ts";
import { never } from "../../sessions/temporarySessions.ts";
import { WORKSPACE } from "../../sessions/turns.ts";

export interface PlayOptions extends Partial<ChainRun> {
	readonly sessions: Sessions;
	readonly signal?: AbortSignal;
	readonly live?: LiveTurns;
	watch?(event: AgentEvent): void;
}

/** Runs a chain as a turn of the session `chain`, and records it in the session's journal. */
export async function playChain(
	engine: StepEngine,
	agents: ChainRun["agents"],
	chain: Chain,
	options: PlayOptions,
) {
	const { sessions, signal = never, live = createLiveTurns(), watch, ...more } = options;
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => WORKSPACE });
	const question = { text: "Do it", command: "agents", attachments: [], isFirst: false };
	const turn = await journal.begin("chain", question);
	const log = { error: () => undefined };
	const runner = createStepRunner({ engine, chain: "chain", journal, live, log });
	const events: AgentEvent[] = [];
	const show = (event: AgentEvent) => {
		events.push(event);
		turn.note(event);
		watch?.(event);
	};
	const run = { ...runOf(chain), agents, ...more };
	const report = await runChain(run, { runner, clock: systemClock, show }, signal);
	await turn.end({ text: report.context.finalOutput, outcome: "done" });
	return { report, events };
}
