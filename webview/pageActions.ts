import { describeRule } from "../src/core/permission/ruleText.ts";
import { inWords } from "../src/core/phrase.ts";
import type { ViewPart, ViewRequest, ViewUpdate } from "../src/protocol/webview.ts";
import {
	type Action,
	focusing,
	type Step,
	stay,
	type Update,
	type ViewState,
	withPart,
} from "./model/state.ts";
import { l10n, translationOf } from "./parts/l10n.ts";
import { draftFrom, hearDecisions, refreshPermissions } from "./permissions/permissionsPane.ts";
import * as sessionActions from "./sessions/sessionActions.ts";
import { closeSession, titleOf } from "./sessions/sessionActions.ts";

export const open: Action = (state) => {
	// A new object, so that the page is drawn even if nothing is requested.
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
			return sessionActions.refreshSessions(state);
		case "memory":
			return stay(state, { kind: "listFacts", ...(shown && { session: shown.session }) });
		case "permissions":
			return refreshPermissions(state);
	}
}

/** The step for each update. Answers to outdated requests are dropped. */
const HEARD: { readonly [Kind in ViewUpdate["kind"]]: (state: ViewState, update: Update<Kind>) => Step } = {
	environment: (state, { environment }) => stay({ ...state, environment }),
	show: (state, { part }) => (state.tab === part ? stay(state) : chooseTab(part)(state)),
	// Other tabs are refreshed when they are shown.
	changed: (state, { part }) => (state.tab === part ? refresh(state, part) : stay(state)),
	sessions: sessionActions.hearPage,
	hits: sessionActions.hearHits,
	transcript: sessionActions.hearTranscript,
	forked: sessionActions.hearForked,
	facts: (state, { facts }) => stay(withPart(state, "memory", { facts })),
	rules: (state, { rules }) => stay(withPart(state, "permissions", { rules })),
	decisions: hearDecisions,
	did: hearDone,
	failed: hearFailed,
};

export function hear<Kind extends ViewUpdate["kind"]>(update: Update<Kind>): Action {
	return (state) => HEARD[update.kind as Kind](state, update);
}

const DONE: Partial<Record<ViewRequest["kind"], string>> = {
	addRule: l10n.t("Undone"),
	restoreSession: l10n.t("Undone"),
	rememberFact: l10n.t("Undone"),
	stopStep: l10n.t("The step was stopped"),
	resumeChain: l10n.t("The chain continues in the chat"),
};

function hearDone(state: ViewState, { request }: Update<"did">): Step {
	const offered = undoOf(state, request);
	const announcement = offered
		? l10n.t("{0}. Undo with Ctrl+Z or Cmd+Z.", offered.label)
		: (DONE[request.kind] ?? state.announcement);
	const next = { ...state, announcement, undo: offered ?? state.undo };
	if (request.kind !== "deleteSession") return stay(next);
	const isOpen = state.sessions.open?.session === request.session;
	return isOpen ? closeSession(next) : focusing("sessions", next);
}

function hearFailed(state: ViewState, { request, message }: Update<"failed">): Step {
	const { open: shown } = state.sessions;
	const next = { ...state, problem: { message, request } };
	const isGone = request.kind === "readSession" && shown?.session === request.session;
	return isGone && !shown.transcript ? closeSession(next) : stay(next);
}

/** Returns the undo for a request, if there is one. Called before the lists are refreshed. */
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
	const draft = { text, scope, source, ...(owner !== undefined && { owner }) };
	return { label: l10n.t("Forgot “{0}”", text), request: { kind: "rememberFact", fact: draft } };
}

function undoRevoke({ permissions }: ViewState, id: string): ViewState["undo"] {
	const use = permissions.rules?.find(({ rule }) => rule.id === id);
	if (!use || use.rule.scope === "once") return undefined;
	const label = l10n.t("Revoked “{0}”", inWords(describeRule(use.rule), translationOf));
	return { label, request: { kind: "addRule", rule: draftFrom(use.rule) } };
}
