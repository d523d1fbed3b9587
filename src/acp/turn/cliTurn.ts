import { join } from "node:path";
import type { PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { textOf } from "../../base/values.ts";
import type { AgentEvent, AgentRequest } from "../../core/agent/agentEvent.ts";
import type { TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import type { CallHooks } from "../link/callHooks.ts";
import { readStoredEvents, type StoredEvent } from "../stored/storedSessions.ts";
import { createTurnReader, type TurnReader } from "../updates/turnReader.ts";
import { createCallGuard, hookedJudge } from "./guard/callGuard.ts";
import { answerQuestions, type CliQuestion, createPermissionDesk } from "./guard/permissionDesk.ts";
import { createReadRules } from "./guard/reads.ts";
import { createTurnWatch, type TurnWatch } from "./guard/watch.ts";
import { createPlanView } from "./planView.ts";
import { promptBlocks } from "./promptBlocks.ts";
import { ALLOW_ALL, type CliSession, mayAllowAll } from "./session/cliSession.ts";
import type { TurnPlace } from "./session/cliSessions.ts";

export interface TurnRules {
	readonly permissions: Permissions;
	readonly askPerson: AskPerson<CliQuestion>;
	/** Id of the session in rules and in our own tools; by default, the CLI's id. */
	readonly chat?: string;
	readonly silenceMs?: number;
	/** Missing if our hooks are not installed in the CLI. */
	readonly hooks?: CallHooks;
	/** Name of the turn's agent in the CLI; by default, the agent's own name. */
	readonly actsAs?: string;
	/** Hooks that plugins run before and after calls; missing if no plugin has a hook. */
	readonly turnHooks?: TurnHooks;
	onEvent?(event: AgentEvent): void;
}

type TurnDeps = TurnRules & TurnPlace;

/** Time without updates after which the user sees that the turn is still running. */
const SILENCE_MS = 10_000;

const REMEDIES: Readonly<Record<string, string>> = {
	rate_limit: "The model's server has had too many requests. Wait a minute and ask again.",
	quota: "The quota of the model is exhausted.",
	authentication: "The model's server did not accept the sign-in of the GitHub Copilot CLI. Sign in again.",
	authorization: "The model's server does not allow this for the account of the GitHub Copilot CLI.",
};

const AGENT = "agent";

interface Turn {
	readonly deps: TurnDeps;
	readonly request: AgentRequest;
	readonly reader: TurnReader;
	readonly stop: AbortController;
	/** Ends the turn at the user's request, which is not a failure. */
	readonly halt: AbortController;
	readonly signal: AbortSignal;
	show(...events: readonly AgentEvent[]): void;
}

export async function runTurn(
	deps: TurnDeps,
	request: AgentRequest,
	signal: AbortSignal,
	show: Turn["show"],
): Promise<void> {
	const [stop, halt] = [new AbortController(), new AbortController()];
	const either = AbortSignal.any([signal, stop.signal]);
	const turn: Turn = { deps, request, reader: createTurnReader(), stop, halt, signal: either, show };
	const { session } = deps;
	const { calls } = turn.reader;
	const { desk, watch } = guardCalls(turn);
	const startedAt = Date.now();
	const view = createTurnView(turn, watch);
	try {
		if (request.agent) await actAs(session, deps.actsAs ?? request.agent.name);
		const until = AbortSignal.any([either, halt.signal]);
		const answer = await session.prompt(
			promptBlocks(request),
			{ begin: watch.begin, update: view.update, ...answerQuestions(desk, calls) },
			{ signal: until, onWait: view.wait },
		);
		await Promise.all([view.look(), watch.end()]);
		await finish(turn, answer, startedAt);
		either.throwIfAborted();
		if (answer.stopReason === "cancelled" && !halt.signal.aborted)
			throw new DOMException("The turn was canceled.", "AbortError");
	} finally {
		watch.dispose();
		view.stop();
		stop.abort();
		show(...calls.closeAll("(The call was not finished.)"));
	}
	show({ kind: "ended", reason: "done" });
}

function createTurnView({ deps, reader, show }: Turn, watch: TurnWatch) {
	const { session, silenceMs = SILENCE_MS } = deps;
	let isQueued = false;
	const isWorking = () => isQueued || reader.calls.open().length > 0;
	const silence = watchSilence(silenceMs, isWorking, show);
	const plan = createPlanView(session.folder, show);
	return {
		wait: (ahead: number) => {
			isQueued = true;
			const others = ahead === 1 ? "the turn" : `${ahead} turns`;
			show({ kind: "progress", text: `Waiting for ${others} to end` });
		},
		update: (received: SessionUpdate) => {
			isQueued = false;
			silence.heard();
			const events = reader.read(received);
			show(...events);
			const endsCall = events.some((event) => event.kind === "toolFinished");
			if (received.sessionUpdate === "plan" || endsCall) void plan.look();
			watch.saw(events);
		},
		look: plan.look,
		stop: () => {
			plan.stop();
			silence.stop();
		},
	};
}

function guardCalls({ deps, request, reader, stop, halt, signal, show }: Turn) {
	const { session, permissions, askPerson, hooks, turnHooks } = deps;
	const { agent, steering } = request;
	const { id, cwd, folder, hasCommand } = session;
	const origin = { session: deps.chat ?? id, workspace: deps.workspace, cwd, hasCommand, agent: agent?.name };
	const desk = createPermissionDesk({ permissions, askPerson, agent, origin, signal, show });
	const isSwitchOn = () => session.options().some(({ id, value }) => id === ALLOW_ALL && value === "on");
	const guarded = {
		agent,
		heard: hooks && steering?.listen(() => undefined),
		calls: reader.calls,
		desk,
		reads: createReadRules(permissions, origin),
		folder,
		hasCommand,
		allowsAll: async () => isSwitchOn() && mayAllowAll(permissions, origin),
		halt: () => {
			halt.abort();
			return session.cancel();
		},
		show,
	};
	const guard = createCallGuard(guarded);
	const fail = (reason: Failure) => stop.abort(reason);
	const watch = createTurnWatch({ ...guarded, isSwitchOn, guard, cwd, fail });
	const judge = turnHooks ? hookedJudge(guard, turnHooks, { signal: stop.signal, show }) : guard;
	let dispose: (() => void) | undefined;
	// Called after the session's earlier turn, because that turn's judge stays registered until its end.
	const begin = async () => {
		dispose = hooks?.judge(session.id, judge);
		await watch.begin();
	};
	return { desk, watch: { ...watch, begin, dispose: () => dispose?.() } };
}

async function finish({ deps, reader, show }: Turn, answer: PromptResponse, since: number): Promise<void> {
	const used = deps.session.usageOf(answer);
	if (used) show(used);
	const line = reader.lastError();
	const mayHaveFailed = line !== undefined || answer.stopReason === "refusal";
	const written = mayHaveFailed ? await lastErrorSince(deps.session.folder, since) : undefined;
	// If the CLI stored no error and counted tokens, the model may have written the line as its answer.
	if (written || (line !== undefined && !used)) throw modelFailure(line ?? "", written);
	show(...reader.flush());
	const notice = STOP_NOTICES[answer.stopReason];
	if (notice) show({ kind: "notice", text: notice });
}

const STOP_NOTICES: Readonly<Partial<Record<PromptResponse["stopReason"], string>>> = {
	max_tokens: "The answer was cut off: it reached the maximum length that the model may write.",
	max_turn_requests: "The CLI stopped: the turn took too many requests. Ask again to let it continue.",
	refusal: "The model refused to continue.",
};

/** Reports silence at intervals, because the CLI waits up to a minute for a rate limit without any update. */
function watchSilence(ms: number, isWorking: () => boolean, show: (event: AgentEvent) => void) {
	let heardAt = Date.now();
	const timer = setInterval(() => {
		const seconds = Math.round((Date.now() - heardAt) / 1000);
		if (seconds * 1000 < ms || isWorking()) return;
		const text = `No answer for ${seconds} s; the CLI may be waiting for the model's server`;
		show({ kind: "progress", text });
	}, ms);
	return {
		heard: () => {
			heardAt = Date.now();
		},
		stop: () => clearInterval(timer),
	};
}

function modelFailure(line: string, written: StoredEvent | undefined): Failure {
	const words = line.trim() || textOf(written?.data, "message") || "It gave no reason.";
	const remedy =
		REMEDIES[textOf(written?.data, "errorType") ?? ""] ?? "Ask again, or go on with the model of VS Code.";
	return new Failure("MODEL_FAILED", `The model of the GitHub Copilot CLI failed. ${remedy} (${words})`);
}

/** Makes the CLI act as one of its agents in a session. Throws a `Failure` if the CLI lacks that agent. */
async function actAs(session: CliSession, name: string): Promise<void> {
	const option = session.options().find(({ id }) => id === AGENT);
	const choice = option?.choices.find(({ value }) => value === name);
	if (!option || !choice) throw unknownAgent(name, option?.choices.map(({ value }) => value) ?? []);
	if (option.value !== choice.value) await session.setOption(AGENT, choice.value);
}

function unknownAgent(name: string, known: readonly string[]): Failure {
	const names = known.filter((value) => value !== "").map(visibleText);
	const there = names.length > 0 ? `It knows: ${names.join(", ")}.` : "It found no agent files here.";
	const message = `The GitHub Copilot CLI has no agent “${visibleText(name)}”. ${there} It reads agent files when a session starts.`;
	return new Failure("NOT_FOUND", message);
}

/** Finds an error that the CLI stored; over ACP, only a line of the answer reports the error. */
async function lastErrorSince(folder: string, since: number): Promise<StoredEvent | undefined> {
	const stored = readStoredEvents(join(folder, "events.jsonl"), ["session.error"]);
	const errors = await Array.fromAsync(stored).catch(() => []);
	return errors.findLast(({ at }) => at >= since);
}
