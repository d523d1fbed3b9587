import type { PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import { Failure } from "../../base/failure.ts";
import type { AgentEvent, AgentRequest } from "../../core/agent/agentEvent.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { lastErrorSince } from "../stored/sessionErrors.ts";
import { createTurnReader, type TurnReader } from "../updates/turnReader.ts";
import { wantedPermission } from "./canary.ts";
import type { CliSession, TurnListener } from "./cliSession.ts";
import { ALLOW_ALL } from "./configOptions.ts";
import { modelFailure } from "./modelFailure.ts";
import { type AskPerson, createPermissionDesk, type PermissionDesk } from "./permissionDesk.ts";
import type { CallOrigin } from "./permissionMapping.ts";
import { createPlanView } from "./planView.ts";
import { promptBlocks } from "./promptBlocks.ts";
import type { SteerFiles } from "./steerFiles.ts";
import { steerTurn } from "./steerTurn.ts";
import type { UsageMeter } from "./usage.ts";

export interface TurnDeps {
	readonly session: CliSession;
	/** The session's folder on the disk. */
	readonly folder: string;
	readonly usage: UsageMeter;
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	/** URI of the window's first folder; empty where there is none. */
	readonly workspace: string;
	/** By which rules and our own tools know the session; the CLI's own id where it is left out. */
	readonly chat?: string;
	/** Ends the turn at work in this session and goes before all that wait. */
	readonly now?: boolean;
	/** Takes words of the person into a turn at work; absent where the CLI cannot. */
	readonly steerFiles?: SteerFiles | undefined;
	readonly silenceMs?: number;
}

/** After so long without a word the person is told that it goes on. */
const SILENCE_MS = 10_000;

/** Runs one turn and shows what happens in it. Rejects with a `Failure`, or with the reason of the signal. */
export async function runTurn(
	deps: TurnDeps,
	request: AgentRequest,
	signal: AbortSignal,
	show: (...events: readonly AgentEvent[]) => void,
): Promise<void> {
	const stop = new AbortController();
	const either = AbortSignal.any([signal, stop.signal]);
	const reader = createTurnReader();
	const desk = createPermissionDesk({
		...deps,
		origin: originOf(deps),
		signal: either,
		show,
	});
	let isQueued = false;
	const isWorking = () => isQueued || reader.calls.open().length > 0;
	const silence = watchSilence(deps.silenceMs ?? SILENCE_MS, isWorking, show);
	const beside = followBeside(deps, request, show);
	const startedAt = Date.now();
	const onWait = (ahead: number) => {
		isQueued = true;
		show(waiting(ahead));
	};
	const update = (received: SessionUpdate) => {
		isQueued = false;
		silence.heard();
		const events = reader.read(received);
		show(...events);
		beside.see(received, events);
		const notAllowed = findNotAllowed(events, reader, { desk, session: deps.session, folder: deps.folder });
		if (notAllowed !== undefined) stop.abort(ranNotAllowed(notAllowed));
	};
	try {
		const answer = await deps.session.prompt(
			promptBlocks(request),
			{
				update,
				permission: (wanted) => desk.decide(wanted, reader.calls.get(wanted.toolCall.toolCallId)),
				goOn: createContinuation(desk),
			},
			{ signal: either, first: deps.now ?? false, onWait },
		);
		await beside.end(answer.stopReason === "end_turn");
		await finish({ answer, reader, since: startedAt }, deps, show);
		either.throwIfAborted();
		if (answer.stopReason === "cancelled") throw new DOMException("The turn was cancelled.", "AbortError");
	} finally {
		silence.stop();
		await beside.end(false);
		// Whoever is still asked gets no answer any more.
		stop.abort();
		show(...reader.calls.closeAll("(It was not finished.)"));
	}
	show({ kind: "ended", reason: "done" });
}

function originOf({ session, chat, workspace }: TurnDeps): CallOrigin {
	return { session: chat ?? session.id, workspace, cwd: session.cwd };
}

/** How often a turn goes on by itself after something was denied. */
const MAX_CONTINUATIONS = 5;

/** The CLI ends the turn where a call is denied; a person who denies one call wants it to go on without. */
function createContinuation(desk: PermissionDesk): TurnListener["goOn"] {
	let left = MAX_CONTINUATIONS;
	return ({ stopReason }) => {
		if (!desk.takeDenied() || stopReason !== "end_turn" || left-- === 0) return undefined;
		return [{ type: "text", text: DENIED }];
	};
}

const DENIED =
	"I did not allow that call. Do not try it again, also not in another way: go on without it, or say why it is needed.";

interface EndedTurn {
	readonly answer: PromptResponse;
	readonly reader: TurnReader;
	readonly since: number;
}

/** Tells why the turn ended, where it was not for being done. */
async function finish(
	{ answer, reader, since }: EndedTurn,
	{ folder, usage }: TurnDeps,
	show: (...events: readonly AgentEvent[]) => void,
): Promise<void> {
	const used = usage.read(answer);
	if (used) show(used);
	const line = reader.lastError();
	const mayHaveFailed = line !== undefined || answer.stopReason === "refusal";
	const written = mayHaveFailed ? await lastErrorSince(folder, since) : undefined;
	// A line that the CLI has written down as an error is one; else the model may have said it.
	if (written || (line !== undefined && !used)) throw modelFailure(line ?? "", written);
	show(...reader.flush());
	const notice = STOP_NOTICES[answer.stopReason];
	if (notice) show({ kind: "notice", text: notice });
}

const STOP_NOTICES: Readonly<Partial<Record<PromptResponse["stopReason"], string>>> = {
	max_tokens: "The answer was cut: it reached the most that the model may write.",
	max_turn_requests: "The CLI stopped: the turn took too many requests. Ask again to let it go on.",
	refusal: "The model refused to go on.",
};

function waiting(ahead: number): AgentEvent {
	const others = ahead === 1 ? "the turn" : `${ahead} turns`;
	return { kind: "progress", text: `Waiting for ${others} before this one` };
}

interface Watch {
	readonly desk: PermissionDesk;
	readonly session: CliSession;
	readonly folder: string;
}

/** The title of a call that changed something although nobody had allowed it. */
function findNotAllowed(
	events: readonly AgentEvent[],
	{ calls }: TurnReader,
	{ desk, session, folder }: Watch,
): string | undefined {
	if (session.options().some(({ id, value }) => id === ALLOW_ALL && value === "on")) return undefined;
	for (const event of events) {
		if (event.kind !== "toolFinished" || desk.wasAllowed(event.call.id)) continue;
		const state = calls.get(event.call.id);
		if (state && wantedPermission(state, folder)) return state.title;
	}
	return undefined;
}

function ranNotAllowed(title: string): Failure {
	return new Failure(
		"CLI_FAILED",
		`The GitHub Copilot CLI ran “${title}”, although nobody allowed that. The turn was stopped: look at what changed. A hook of the repository may have allowed it, or this version of the CLI has an error.`,
	);
}

/** What goes on in files beside the wire: the plan, and words of the person. */
function followBeside(
	{ folder, session, steerFiles }: TurnDeps,
	request: AgentRequest,
	show: (event: AgentEvent) => void,
) {
	const plan = createPlanView(folder, show);
	const steered = steerTurn(session.id, request, steerFiles);
	return {
		see: ({ sessionUpdate }: SessionUpdate, events: readonly AgentEvent[]) => {
			const hasEnded = events.some(({ kind }) => kind === "toolFinished");
			if (hasEnded) steered.look();
			if (hasEnded || sessionUpdate === "plan") plan.look();
		},
		end: async (isDone: boolean) => {
			plan.stop();
			await Promise.all([plan.seen(), steered.end(isDone)]);
		},
	};
}

/** Says from time to time that nothing was heard: the CLI waits out a rate limit for a minute without a word. */
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
