import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { messageOf } from "../../../base/failure.ts";
import type { ActingAgent, AgentEvent } from "../../../core/agent/agentEvent.ts";
import { mayUseKind } from "../../../core/agent/allowedTools.ts";
import type { Permissions } from "../../../core/permission/permission.ts";
import { onDisk } from "../../../permissions/arguments/realPaths.ts";
import { type AskPerson, decide, type PermissionQuestion } from "../../../permissions/decide.ts";
import type { CallState } from "../../updates/toolCalls.ts";
import {
	agentsWordsFor,
	answerWith,
	CANCELLED,
	type CallOrigin,
	isAllowing,
	toPermissionRequest,
} from "./permissionMapping.ts";

export interface CliQuestion extends PermissionQuestion {
	/** Of the tool call. */
	readonly callId: string;
	/** What the agent or its model says about the call; not to be trusted. */
	readonly agentsWords: string;
	/** The call's whole input. */
	readonly input: unknown;
}

/** A call that did not run. */
export interface Denial {
	readonly request: RequestPermissionRequest;
	readonly title: string;
	readonly by: "rule" | "person" | "host" | "default";
	/** In the person's words. */
	readonly reason?: string;
}

export interface DeskDeps {
	readonly permissions: Permissions;
	readonly askPerson: AskPerson<CliQuestion>;
	readonly origin: CallOrigin;
	/** Whom the CLI is in this turn, where it is not itself. */
	readonly agent?: ActingAgent;
	readonly signal: AbortSignal;
	/** Told of each decision. */
	show(event: AgentEvent): void;
}

/** Answers the requests of one turn as they are decided. If anything goes wrong, nothing is allowed. */
export interface PermissionDesk {
	decide(request: RequestPermissionRequest, known: CallState | undefined): Promise<RequestPermissionResponse>;
	/** Whether the agent asked to make this call, and may. */
	wasAllowed(callId: string): boolean;
	/** The calls denied since the last time this was asked; none once the person wants the turn to end. */
	takeDenied(of?: RequestPermissionRequest): readonly Denial[];
}

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
	const allowed = new Set<string>();
	const denied: Denial[] = [];
	let isStopped = false;
	const answer = async (request: RequestPermissionRequest, known: CallState | undefined) => {
		const wanted = await onDisk(toPermissionRequest(request, known, deps.origin));
		// The guard knows the tool's exact name, but a repository can switch hooks off.
		if (!mayUseKind(deps.agent?.tools, wanted.tool)) {
			denied.push({ request, title: wanted.title, by: "rule" });
			return CANCELLED;
		}
		const { toolCallId: callId, rawInput: input } = request.toolCall;
		const agentsWords = agentsWordsFor(request, known);
		const { effect, by, denial } = await decide(deps.permissions, wanted, {
			ask: (question, signal) => deps.askPerson({ ...question, callId, agentsWords, input }, signal),
			by: "person",
			signal: deps.signal,
		});
		const { tool, title } = wanted;
		deps.show({ kind: "permission", tool, title, effect, by });
		// Never `allow_always`: what holds for longer is a rule of ours, which the person can see and revoke.
		if (effect === "allow") return answerWith(request, "allow_once");
		if (denial?.andStop) {
			isStopped = true;
			return answerWith(request, "reject_once");
		}
		denied.push({ request, title, by, ...(denial?.reason !== undefined && { reason: denial.reason }) });
		return CANCELLED;
	};
	return {
		decide: async (request, known) => {
			try {
				const answered = await answer(request, known);
				if (isAllowing(request, answered)) allowed.add(request.toolCall.toolCallId);
				return answered;
			} catch (thrown) {
				if (!deps.signal.aborted)
					deps.show({ kind: "notice", text: `A call was not allowed: ${messageOf(thrown)}` });
				return CANCELLED;
			}
		},
		wasAllowed: (callId) => allowed.has(callId),
		takeDenied: (of) => {
			const taken = denied.filter(({ request }) => of === undefined || request === of);
			for (const each of taken) denied.splice(denied.indexOf(each), 1);
			return isStopped ? [] : taken;
		},
	};
}

/** What the model is told about denied calls: go on without them. */
export function denialText(denials: readonly Omit<Denial, "request">[]): string {
	return [...denials.map(lineOf), WHAT_NOW].join("\n");
}

function lineOf({ title, by, reason }: Omit<Denial, "request">): string {
	const why = reason === undefined ? "" : ` My reason: ${reason}`;
	return by === "person"
		? `I did not allow this call: ${title}.${why}`
		: `A rule of mine does not allow this call: ${title}.`;
}

const WHAT_NOW = "Do not try it again, also not in another way: go on without it, or say why it is needed.";
