import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { SessionJournal } from "../../agent/journal/sessionJournal.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import type { AgentEvent, StepRequest, StepRunner } from "../../core/agent/agentEvent.ts";
import { type EngineStep, requestOf, type StepEngine } from "../../core/agent/tool.ts";
import type { FailureLog } from "../logs.ts";
import { keepTurn, type LiveTurns } from "../turn/turnRecord.ts";

export interface StepRunnerDeps {
	readonly engine: StepEngine;
	readonly chain: string;
	readonly journal: SessionJournal;
	readonly live: LiveTurns;
	readonly log: FailureLog;
}

/** Runs the steps of a chain, each as a separate session, which is recorded under the chain. */
export function createStepRunner(deps: StepRunnerDeps): StepRunner {
	return { run: (request, signal) => runStep(deps, request, signal) };
}

async function* runStep(
	{ engine, chain, journal, live, log }: StepRunnerDeps,
	request: StepRequest,
	signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
	const { agent, attempt, prompt: text } = request;
	const step: EngineStep = { session: randomUUID(), chain, request };
	const { session } = step;
	yield { kind: "stepStarted", agent: agent.name, session, attempt };
	const partOf = { session: chain, step: request.id };
	const command = engine.kind === "cli" && { command: "cli" };
	const question = { text, attachments: [], isFirst: true, partOf, ...command };
	const notices: string[] = [];
	const turn = await keepTurn(journal, { session, question }, log, (words) => notices.push(words));
	const stopped = new AbortController();
	const leave = live.add(session, turn.note, { stop: () => stopped.abort() });
	try {
		const either = AbortSignal.any([signal, stopped.signal]);
		for await (const event of engine.runnerFor(step)(requestOf(step), either)) {
			turn.note(event);
			yield event;
		}
		await turn.end();
	} catch (thrown) {
		await turn.end(thrown);
		if (!stopped.signal.aborted) throw thrown;
	} finally {
		leave();
	}
	for (const words of notices) yield { kind: "notice", text: words };
	// The CLI may end its turn without an error just as it is stopped.
	if (stopped.signal.aborted) throw new Failure("NOT_ALLOWED", vscode.l10n.t("You stopped this step."));
}

interface OfferedEngines {
	readonly cli: {
		find(): Promise<void>;
		engine(): Promise<{ readonly steps: StepEngine }>;
	};
	/** Our own loop, on the model of the chat that asks; rejects with NO_MODEL if there is no language model. */
	model(origin: unknown): Promise<StepEngine>;
}

/** Chooses an engine; `auto` prefers the CLI. If there is none, rejects with a `Failure` that says what to install. */
export async function chooseSteps(
	wanted: "auto" | "cli" | "model",
	{ cli, model }: OfferedEngines,
	origin?: unknown,
): Promise<StepEngine> {
	if (wanted === "model") return model(origin);
	const missing = await cli.find().then(() => undefined, missingCli);
	if (!missing) return (await cli.engine()).steps;
	if (wanted === "cli") throw missing;
	try {
		return await model(origin);
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "NO_MODEL") throw thrown;
		const words = `${missing.message} ${vscode.l10n.t("Without it, agents run on a language model of VS Code, but none is available.")}`;
		throw new Failure(missing.code, words, { cause: missing });
	}
}

/** Returns the failure if the CLI is missing or too old; throws any other error. */
function missingCli(thrown: unknown): Failure {
	if (isFailure(thrown) && (thrown.code === "CLI_MISSING" || thrown.code === "CLI_OLD")) return thrown;
	throw thrown;
}
