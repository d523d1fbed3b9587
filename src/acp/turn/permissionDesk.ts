import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { messageOf } from "../../base/failure.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type {
	Decision,
	PermissionRequest,
	Permissions,
	RuleScope,
	Verdict,
} from "../../core/permission/permission.ts";
import { offersFor, type RuleOffer } from "../../permissions/offers.ts";
import { onDisk } from "../../permissions/realPaths.ts";
import type { CallState } from "../updates/toolCalls.ts";
import {
	answerWith,
	CANCELLED,
	type CallOrigin,
	isAllowing,
	toPermissionRequest,
} from "./permissionMapping.ts";

/** What a person says to a call. All but `once` and the two noes become rules, which can be revoked. */
export type PersonsAnswer = "once" | "session" | "workspace" | "always" | "reject" | "rejectAndStop";

export interface PersonsQuestion {
	/** Of the tool call. */
	readonly callId: string;
	readonly request: PermissionRequest;
	/** The rules that may be made of an answer, narrowest first; none where only this one call may be allowed. */
	readonly offers: readonly RuleOffer[];
}

/** Asks the person. Rejects with the signal's reason where the turn ends before there is an answer. */
export type AskPerson = (question: PersonsQuestion, signal: AbortSignal) => Promise<PersonsAnswer>;

export interface DeskDeps {
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	readonly origin: CallOrigin;
	readonly signal: AbortSignal;
	/** Told of what was decided. */
	show(event: AgentEvent): void;
}

/** Decides the requests of one turn. Where anything goes wrong, nothing is allowed. */
export interface PermissionDesk {
	decide(request: RequestPermissionRequest, known: CallState | undefined): Promise<RequestPermissionResponse>;
	/** Whether the agent asked for this call, and was allowed it. */
	wasAllowed(callId: string): boolean;
	/** Whether a call was denied since this was asked last, and the person did not want the turn to end. */
	takeDenied(): boolean;
}

export function createPermissionDesk(deps: DeskDeps): PermissionDesk {
	const allowed = new Set<string>();
	let denied = false;
	let asking: Promise<unknown> = Promise.resolve();
	const decide = async (request: RequestPermissionRequest, wanted: PermissionRequest) => {
		const verdict = await deps.permissions.verdictFor(wanted);
		if (verdict.effect !== "ask") return settle(deps, { request, wanted, verdict });
		// One question at a time; the answer to the one before may have become a rule for this one.
		const turn = asking.then(() => askOrSettle(deps, request, wanted));
		asking = turn.catch(() => undefined);
		return turn;
	};
	return {
		decide: async (request, known) => {
			try {
				const answer = await decide(request, await onDisk(toPermissionRequest(request, known, deps.origin)));
				if (isAllowing(request, answer)) allowed.add(request.toolCall.toolCallId);
				if (answer === CANCELLED) denied = true;
				return answer;
			} catch (thrown) {
				if (!deps.signal.aborted)
					deps.show({ kind: "notice", text: `A call was not allowed: ${messageOf(thrown)}` });
				return CANCELLED;
			}
		},
		wasAllowed: (callId) => allowed.has(callId),
		takeDenied: () => {
			const was = denied;
			denied = false;
			return was;
		},
	};
}

async function askOrSettle(
	deps: DeskDeps,
	request: RequestPermissionRequest,
	wanted: PermissionRequest,
): Promise<RequestPermissionResponse> {
	const verdict = await deps.permissions.verdictFor(wanted);
	// Nobody is asked about a turn that has ended while this waited for the questions before it.
	deps.signal.throwIfAborted();
	if (verdict.effect !== "ask") return settle(deps, { request, wanted, verdict });
	// What a rule of the settings holds, no other frees.
	const offers = verdict.rule?.origin === "settings" ? [] : offersFor(wanted);
	const { toolCallId: callId } = request.toolCall;
	const answer = await deps.askPerson({ callId, request: wanted, offers }, deps.signal);
	// What was pressed after the turn ended allows nothing.
	deps.signal.throwIfAborted();
	const isAllowed = answer !== "reject" && answer !== "rejectAndStop";
	await note(deps, { request: wanted, effect: isAllowed ? "allow" : "deny", by: "person" });
	if (!isAllowed) return answer === "reject" ? CANCELLED : answerWith(request, "reject_once");
	const [offer] = offers;
	if (answer !== "once" && offer) await addRule(deps, { wanted, offer, scope: answer });
	return answerWith(request, "allow_once");
}

/** What a rule, or its absence, has decided. */
async function settle(
	deps: DeskDeps,
	{
		request,
		wanted,
		verdict,
	}: {
		readonly request: RequestPermissionRequest;
		readonly wanted: PermissionRequest;
		readonly verdict: Verdict;
	},
): Promise<RequestPermissionResponse> {
	const effect = verdict.effect === "allow" ? "allow" : "deny";
	const { rule } = verdict;
	await note(deps, {
		request: wanted,
		effect,
		by: rule ? "rule" : "default",
		...(rule && { rule: rule.id }),
	});
	// Never `allow_always`: what holds for longer is a rule of ours, which the person can see and revoke.
	return effect === "allow" ? answerWith(request, "allow_once") : CANCELLED;
}

async function note(deps: DeskDeps, decision: Omit<Decision, "at">): Promise<void> {
	await deps.permissions.record(decision);
	const { request, effect, by } = decision;
	deps.show({ kind: "permission", tool: request.tool, title: request.title, effect, by });
}

async function addRule(
	deps: DeskDeps,
	{
		wanted,
		offer,
		scope,
	}: {
		readonly wanted: PermissionRequest;
		readonly offer: RuleOffer;
		readonly scope: Exclude<RuleScope, "once">;
	},
): Promise<void> {
	const owners = { session: wanted.session, workspace: wanted.workspace, always: undefined };
	const owner = owners[scope];
	await deps.permissions.add({
		effect: "allow",
		scope,
		door: "cli",
		tool: wanted.tool,
		...(owner !== undefined && { owner }),
		...(offer.argument && { argument: offer.argument }),
	});
}
