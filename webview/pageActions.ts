import { describeRule } from "../src/core/permission/ruleText.ts";
import { inWords } from "../src/core/phrase.ts";
import type { ViewPart, ViewRequest, ViewUpdate } from "../src/protocol/webview.ts";
import { withMemory } from "./memory/memoryPane.ts";
import { type Action, focusing, type Step, stay, type ViewState } from "./model/state.ts";
import { l10n, translationOf } from "./parts/l10n.ts";
import * as permissionActions from "./permissions/permissionActions.ts";
import { hearSessions, refreshSessions } from "./sessions/hearSessions.ts";
import { closeSession, titleOf } from "./sessions/sessionActions.ts";

export const open: Action = (state) => {
	// Another object: the page is drawn, whatever it asks for.
	const step = refresh({ ...state }, state.tab);
	return { ...step, requests: [{ kind: "ready" }, ...step.requests] };
};

export function chooseTab(tab: ViewPart): Action {
	return (state) => refresh({ ...state, tab }, tab);
}

export const undo: Action = (state) =>
	focusing(HOMES[state.tab], { ...state, undo: undefined }, ...(state.undo ? [state.undo.request] : []));

export const dropUndo: Action = (state) => stay({ ...state, undo: undefined });

export const retry: Action = (state) =>
	stay({ ...state, problem: undefined }, ...(state.problem ? [state.problem.request] : []));

export const dropProblem: Action = (state) => focusing(HOMES[state.tab], { ...state, problem: undefined });

const HOMES: Record<ViewPart, string> = { sessions: "sessions", memory: "facts", permissions: "add-rule" };

function refresh(state: ViewState, part: ViewPart): Step {
	const { open: shown } = state.sessions;
	switch (part) {
		case "sessions":
			return refreshSessions(state);
		case "memory":
			// Includes the facts of the open session.
			return stay(state, { kind: "listFacts", ...(shown && { session: shown.session }) });
		case "permissions":
			return permissionActions.refreshPermissions(state);
	}
}

export function hear(update: ViewUpdate): Action {
	return (state) => {
		switch (update.kind) {
			case "environment":
				return stay({ ...state, environment: update.environment });
			case "show":
				return state.tab === update.part ? stay(state) : chooseTab(update.part)(state);
			case "changed":
				// The others are asked for when they are shown.
				return state.tab === update.part ? refresh(state, update.part) : stay(state);
			case "facts":
				return stay(withMemory(state, { facts: update.facts }));
			case "rules":
			case "decisions":
			case "preview":
				return stay(permissionActions.hearPermissions(state, update));
			case "did":
				return hearDone(state, update.request);
			case "failed":
				return hearFailed(state, update);
			default:
				return hearSessions(state, update);
		}
	};
}

const DONE: Partial<Record<ViewRequest["kind"], string>> = {
	addRule: l10n.t("Undone"),
	restoreSession: l10n.t("Undone"),
	rememberFact: l10n.t("Undone"),
	stopStep: l10n.t("The step was stopped"),
	resumeChain: l10n.t("The chain continues in the chat"),
};

function hearDone(state: ViewState, request: ViewRequest): Step {
	const offered = undoOf(state, request);
	const announcement = offered
		? l10n.t("{0}. Undo with Ctrl+Z or Cmd+Z.", offered.label)
		: (DONE[request.kind] ?? state.announcement);
	const next = { ...state, announcement, undo: offered ?? state.undo };
	if (request.kind !== "deleteSession") return stay(next);
	const isOpen = state.sessions.open?.session === request.session;
	return isOpen ? closeSession(next) : focusing("sessions", next);
}

function hearFailed(state: ViewState, failed: Extract<ViewUpdate, { readonly kind: "failed" }>): Step {
	const { request, message } = failed;
	const { open: shown } = state.sessions;
	const next = { ...state, problem: { message, request } };
	const isGone = request.kind === "readSession" && shown?.session === request.session;
	// Without a transcript there is nothing to stay for.
	return isGone && !shown.transcript ? closeSession(next) : stay(next);
}

/** How something that was done is taken back; absent if that is not offered. Called before the lists are renewed. */
function undoOf(state: ViewState, request: ViewRequest): ViewState["undo"] {
	switch (request.kind) {
		case "deleteSession": {
			const { session } = request;
			const label = l10n.t("Deleted “{0}”", titleOf(state.sessions, session));
			return { label, request: { kind: "restoreSession", session } };
		}
		case "archiveSession": {
			const { session, archived } = request;
			const title = titleOf(state.sessions, session);
			const label = archived ? l10n.t("Archived “{0}”", title) : l10n.t("Unarchived “{0}”", title);
			return { label, request: { kind: "archiveSession", session, archived: !archived } };
		}
		case "forgetFact":
			return undoForget(state, request.fact);
		case "revokeRule":
			return undoRevoke(state, request.rule);
		default:
			return undefined;
	}
}

function undoForget({ memory }: ViewState, id: string): ViewState["undo"] {
	const fact = memory.facts?.find((one) => one.id === id);
	if (!fact) return undefined;
	const { text, scope, owner, source } = fact;
	return {
		label: l10n.t("Forgot “{0}”", text),
		request: { kind: "rememberFact", fact: { text, scope, source, ...(owner !== undefined && { owner }) } },
	};
}

function undoRevoke({ permissions }: ViewState, id: string): ViewState["undo"] {
	const use = permissions.rules?.find(({ rule }) => rule.id === id);
	if (!use || use.rule.scope === "once") return undefined;
	return {
		label: l10n.t("Revoked “{0}”", inWords(describeRule(use.rule), translationOf)),
		request: { kind: "addRule", rule: permissionActions.draftFrom(use.rule) },
	};
}
