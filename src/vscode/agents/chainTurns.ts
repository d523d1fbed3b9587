import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import type { SessionJournal } from "../../agent/journal/sessionJournal.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { type Lazy, lazily } from "../../base/jobs/lazily.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { withFreeIds } from "../../orchestrator/plan/editChain.ts";
import type { ChatOrigins } from "../tools/chatOrigins.ts";
import type { LiveTurns } from "../turn/liveTurns.ts";
import { saveTurn } from "../turn/sessionTurn.ts";
import { recordTurn } from "../turn/turnRecord.ts";
import { eventsOf } from "./answerEvents.ts";

type Run = Orchestrator["run"];

/** An orchestrator that its first use opens; for the calls of one session, what it begins is a part of its turn. */
export function partOf(
	open: () => Promise<Orchestrator>,
	session?: string,
	live?: LiveTurns,
): Lazy<Orchestrator> {
	return lazily(async () => {
		const orchestrator = await open();
		if (session === undefined || !live) return orchestrator;
		return { ...orchestrator, run: inTurn(orchestrator.run, session, live) };
	});
}

function inTurn(run: Run, session: string, live: LiveTurns): Run {
	return (draft, options, signal) => {
		const showIn = live.showIn(session);
		const show = (event: AgentEvent) => {
			options.show(event);
			showIn?.(event);
		};
		return run(withOwnSteps(draft, live.stepsIn(session)), { ...options, session, show }, signal);
	};
}

/** A turn may run several chains, also at once: a step of one is none of another. */
function withOwnSteps({ plan, ...draft }: Draft, taken: Set<string>): Draft {
	return { ...draft, plan: { ...plan, chain: withFreeIds(plan.chain, taken) } };
}

export function tracedChains(orchestrator: Orchestrator, traces: TurnTracer): Orchestrator {
	return {
		...orchestrator,
		run: (draft, options, signal) => {
			const question = draft.plan.task.prompt;
			const start = { kind: "agent", title: "agents", question, session: options.session } as const;
			return traces.run(start, signal, () => orchestrator.run(draft, options, signal));
		},
	};
}

export interface ChainTurnDeps {
	readonly origins: Pick<ChatOrigins, "sessionOf">;
	readonly live: LiveTurns;
	readonly journal: SessionJournal;
	readonly log: vscode.LogOutputChannel;
}

/** Chains that a tool begins belong to the turn that called it; if that is not ours, a chain is a session of its own. */
export function withTurns(orchestrator: Orchestrator, deps: ChainTurnDeps): Orchestrator {
	const { run } = orchestrator;
	return {
		...orchestrator,
		run: (draft, options, signal) => {
			if (options.session !== undefined) return run(draft, options, signal);
			const session = deps.origins.sessionOf(options.origin);
			if (session !== undefined && deps.live.showIn(session))
				return inTurn(run, session, deps.live)(draft, options, signal);
			return runAlone(run, deps, [draft, options, signal]);
		},
	};
}

async function runAlone(
	run: Run,
	{ journal, log }: ChainTurnDeps,
	[draft, options, signal]: Parameters<Run>,
): ReturnType<Run> {
	const session = randomUUID();
	const record = recordTurn(session);
	// Nobody looks: that something is not saved is in the log.
	const told = { stream: { markdown: () => undefined }, log };
	const saved = await saveTurn(journal, { session, question: questionOf(draft) }, told);
	const show = (event: AgentEvent) => {
		options.show(event);
		saved.note(event);
	};
	try {
		const report = await run(draft, { ...options, session, show }, signal);
		for (const event of eventsOf(report.context.finalOutput)) record.note(event);
		const cut = signal.aborted ? { thrown: signal.reason } : {};
		await saved.end(record.current(), cut);
		return report;
	} catch (thrown) {
		await saved.end(record.current(), { thrown });
		throw thrown;
	}
}

function questionOf({ plan: { task } }: Draft) {
	return { text: task.prompt, command: "agents", attachments: [], isFirst: true };
}
