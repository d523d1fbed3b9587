import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { SessionJournal } from "../../agent/journal/sessionJournal.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import type { AgentEvent, StepRunner } from "../../core/agent/agentEvent.ts";
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
	return {
		run: async function* (request, signal) {
			const step: EngineStep = { session: randomUUID(), chain: deps.chain, request };
			const { agent, attempt } = request;
			yield { kind: "stepStarted", agent: agent.name, session: step.session, attempt };
			const stopped = new AbortController();
			const either = AbortSignal.any([signal, stopped.signal]);
			try {
				yield* runSaved(deps, step, { signal: either, stop: () => stopped.abort() });
				// The CLI may end its turn without an error just as it is stopped.
				stopped.signal.throwIfAborted();
			} catch (thrown) {
				if (stopped.signal.aborted) throw new Failure("NOT_ALLOWED", vscode.l10n.t("You stopped this step."));
				throw thrown;
			}
		},
	};
}

async function* runSaved(
	{ engine, journal, live, log }: StepRunnerDeps,
	step: EngineStep,
	{ signal, stop }: { readonly signal: AbortSignal; stop(): void },
): AsyncGenerator<AgentEvent> {
	const notices: string[] = [];
	const { session, chain, request } = step;
	const asked = { text: request.prompt, attachments: [], isFirst: true };
	const command = engine.kind === "cli" && { command: "cli" };
	const question = { ...asked, partOf: { session: chain, step: request.id }, ...command };
	const turn = await keepTurn(journal, { session, question }, log, (text) => notices.push(text));
	const leave = live.add(session, turn.note, { stop });
	try {
		for await (const event of engine.runnerFor(step)(requestOf(step), signal)) {
			turn.note(event);
			yield event;
		}
		await turn.end();
	} catch (thrown) {
		await turn.end(thrown);
		throw thrown;
	} finally {
		leave();
	}
	for (const text of notices) yield { kind: "notice", text };
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
