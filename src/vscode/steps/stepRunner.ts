import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { SessionJournal } from "../../agent/journal/sessionJournal.ts";
import { Failure } from "../../base/failure.ts";
import type { AgentEvent, StepRunner } from "../../core/agent/agentEvent.ts";
import { onlyRead } from "../../core/agent/allowedTools.ts";
import { type EngineStep, requestOf, type StepEngine } from "../../core/agent/tool.ts";
import type { FailureLog } from "../logs.ts";
import { saveTurn } from "../turn/sessionTurn.ts";
import { type LiveTurns, recordTurn } from "../turn/turnRecord.ts";
import type { RunningSteps } from "./runningSteps.ts";

export interface StepRunnerDeps {
	readonly engine: StepEngine;
	readonly chain: string;
	readonly journal: SessionJournal;
	readonly running: RunningSteps;
	readonly live: LiveTurns;
	readonly log: FailureLog;
}

/** Runs the steps of a chain, each as a separate session, which is recorded under the chain. */
export function createStepRunner(deps: StepRunnerDeps): StepRunner {
	return {
		mayChange: (_, tools) => !onlyRead(tools),
		run: async function* (request, signal) {
			const step: EngineStep = { session: randomUUID(), chain: deps.chain, request };
			const { agent, attempt } = request;
			yield { kind: "stepStarted", agent: agent.name, session: step.session, attempt };
			const stopped = new AbortController();
			const leave = deps.running.add(step.session, () => stopped.abort());
			const either = AbortSignal.any([signal, stopped.signal]);
			try {
				yield* runSaved(deps, step, either);
				// The CLI may end its turn in the moment in which it is stopped.
				stopped.signal.throwIfAborted();
			} catch (thrown) {
				if (stopped.signal.aborted) throw new Failure("NOT_ALLOWED", vscode.l10n.t("You stopped this step."));
				throw thrown;
			} finally {
				leave();
			}
		},
	};
}

async function* runSaved(
	{ engine, journal, live, log }: StepRunnerDeps,
	step: EngineStep,
	signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
	const record = recordTurn(step.session);
	const notices: string[] = [];
	const stream = { markdown: (text: string) => void notices.push(text) };
	const saved = await saveTurn(journal, aboutStep(engine, step), { stream, log });
	const leave = live.add(step.session, saved.note);
	try {
		for await (const event of engine.runnerFor(step)(requestOf(step), signal)) {
			record.note(event);
			saved.note(event);
			yield event;
		}
		await saved.end(record.current());
	} catch (thrown) {
		await saved.end(record.current(), { thrown });
		throw thrown;
	} finally {
		leave();
	}
	for (const text of notices) yield { kind: "notice", text };
}

function aboutStep({ kind }: StepEngine, { session, chain, request }: EngineStep) {
	const command = kind === "cli" && { command: "cli" };
	const partOf = { session: chain, step: request.id };
	return { session, question: { text: request.prompt, attachments: [], isFirst: true, partOf, ...command } };
}
