import { isDeepStrictEqual } from "node:util";
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { messageOf } from "../../../base/failure.ts";
import type { ActingAgent, AgentEvent } from "../../../core/agent/agentEvent.ts";
import { mayUseKind } from "../../../core/agent/allowedTools.ts";
import type { Permissions } from "../../../core/permission/permission.ts";
import { type AskPerson, decide, type PermissionQuestion } from "../../../permissions/decide.ts";
import type { CallState, ToolCalls } from "../../updates/turnReader.ts";
import { CANCELLED, type TurnAnswers } from "../session/cliSession.ts";
import { askedCall, type CallOrigin, requestOf, type WantedCall } from "./wantedCall.ts";

export interface CliQuestion extends PermissionQuestion {
	readonly callId: string;
	/** Written by the agent or its model; not to be trusted. */
	readonly agentsWords: string;
	readonly input: unknown;
}

export interface Denial {
	readonly title: string;
	readonly by: "rule" | "person" | "host" | "default";
	readonly reason?: string;
}

interface DeskDeps {
	readonly permissions: Permissions;
	readonly askPerson: AskPerson<CliQuestion>;
	readonly origin: CallOrigin;
	readonly agent?: ActingAgent | undefined;
	readonly signal: AbortSignal;
	show(event: AgentEvent): void;
}

/** `denied` lacks a denial if the decision failed or the turn ended; `stopped` means that the user ended it. */
type Decided =
	| { readonly kind: "allowed" | "stopped" }
	| { readonly kind: "denied"; readonly denial?: Denial };

export type PermissionDesk = ReturnType<typeof createPermissionDesk>;

/** Decides on the calls of one turn. If anything goes wrong, nothing is allowed. */
export function createPermissionDesk(deps: DeskDeps) {
	const allowed = new Set<string>();
	// Calls that were allowed before their announcement arrived; each entry allows one call.
	const unannounced: WantedCall[] = [];
	return {
		decide: async (call: WantedCall): Promise<Decided> => {
			try {
				const decided = await decideOn(deps, call);
				if (decided.kind !== "allowed") return decided;
				if (call.id === "") unannounced.push(call);
				else allowed.add(call.id);
				return decided;
			} catch (thrown) {
				if (!deps.signal.aborted)
					deps.show({ kind: "notice", text: `A call was not allowed: ${messageOf(thrown)}` });
				return { kind: "denied" };
			}
		},
		wasAllowed: ({ call: { id, input }, kind }: CallState): boolean => {
			if (allowed.has(id)) return true;
			const at = unannounced.findIndex((call) => call.kind === kind && isDeepStrictEqual(call.input, input));
			if (at < 0) return false;
			unannounced.splice(at, 1);
			allowed.add(id);
			return true;
		},
	};
}

async function decideOn(
	{ permissions, askPerson, origin, agent, signal, show }: DeskDeps,
	call: WantedCall,
): Promise<Decided> {
	const wanted = requestOf(call, origin);
	const { tool, title } = wanted;
	// The guard knows the tool's exact name, but a repository can switch hooks off.
	if (!mayUseKind(agent?.tools, tool)) return { kind: "denied", denial: { title, by: "rule" } };
	const { id: callId, title: agentsWords, input } = call;
	const { effect, by, denial } = await decide(permissions, wanted, {
		ask: (question, until) => askPerson({ ...question, callId, agentsWords, input }, until),
		by: "person",
		signal,
	});
	show({ kind: "permission", tool, title, effect, by });
	if (effect === "allow") return { kind: "allowed" };
	if (denial?.andStop) return { kind: "stopped" };
	const reason = denial?.reason;
	return { kind: "denied", denial: { title, by, ...(reason !== undefined && { reason }) } };
}

const MAX_CONTINUATIONS = 5;

/** Answers permission requests over ACP. The CLI ends a turn after a denial, so another prompt continues it. */
export function answerQuestions(desk: PermissionDesk, calls: ToolCalls): TurnAnswers {
	let denied: Denial[] = [];
	let isStopped = false;
	let left = MAX_CONTINUATIONS;
	return {
		permission: async (request) => {
			// Without the option `allow_once`, deny without asking. Never choose `allow_always`: lasting permissions must
			// be our own rules, which the user can see and revoke.
			const allowing = answerWith(request, "allow_once");
			if (allowing === CANCELLED) return CANCELLED;
			const decided = await desk.decide(askedCall(request, calls.get(request.toolCall.toolCallId)));
			if (decided.kind === "allowed") return allowing;
			if (decided.kind === "denied") {
				if (decided.denial) denied.push(decided.denial);
				return CANCELLED;
			}
			isStopped = true;
			return answerWith(request, "reject_once");
		},
		goOn: ({ stopReason }) => {
			const denials = denied;
			denied = [];
			if (isStopped || denials.length === 0 || stopReason !== "end_turn" || left-- === 0) return undefined;
			return [{ type: "text", text: denialText(denials) }];
		},
	};
}

function answerWith(
	{ options }: RequestPermissionRequest,
	kind: "allow_once" | "reject_once",
): RequestPermissionResponse {
	const option = options.find((offered) => offered.kind === kind);
	return option ? { outcome: { outcome: "selected", optionId: option.optionId } } : CANCELLED;
}

export function denialText(denials: readonly Denial[]): string {
	const lines = denials.map(({ title, by, reason }) => {
		const why = reason === undefined ? "" : ` My reason: ${reason}`;
		return by === "person"
			? `I did not allow this call: ${title}.${why}`
			: `A rule of mine does not allow this call: ${title}.`;
	});
	return [...lines, WHAT_NOW].join("\n");
}

const WHAT_NOW = "Do not try it again, also not in another way: go on without it, or say why it is needed.";
