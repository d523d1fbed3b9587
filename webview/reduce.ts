import { describeRule } from "../src/core/permission/ruleText.ts";
import { inWords } from "../src/core/phrase.ts";
import type { SessionChange } from "../src/core/session/session.ts";
import type { ViewPart, ViewRequest, ViewUpdate } from "../src/protocol/webview.ts";
import { reduceMemory, withMemory } from "./memory/memoryPane.ts";
import { focusing, type Step, stay, type ViewEvent } from "./model/event.ts";
import type { Undo, ViewState } from "./model/state.ts";
import { l10n, translationOf } from "./parts/l10n.ts";
import {
	draftFrom,
	hearPermissions,
	reducePermissions,
	refreshPermissions,
	withPermissions,
} from "./permissions/reducePermissions.ts";
import { hearChanges, hearSessions, refreshSessions } from "./sessions/hearSessions.ts";
import { reduceSessions, titleOf, withoutMenu, withSessions } from "./sessions/reduceSessions.ts";

/** The page after an event, and the requests to the host. Pure: contains all decisions of the page. */
export function reduce(state: ViewState, event: ViewEvent): Step {
	switch (event.kind) {
		case "opened":
			return asking(refresh(state, state.tab), { kind: "ready" });
		case "told":
			return hear(state, event.update);
		case "ticked":
			return stay({ ...state, now: event.now });
		case "tabChosen":
			return refresh({ ...state, tab: event.tab }, event.tab);
		case "wanted":
			return withoutMenu(state, false, event.request);
		case "undone":
		case "undoLeft":
		case "problemLeft":
		case "retried":
			return reduceBars(state, event.kind);
		case "factsFiltered":
		case "editBegun":
		case "editEnded":
			return reduceMemory(state, event);
		case "formOpened":
		case "formClosed":
		case "formFilled":
		case "formSent":
		case "formPreviewed":
		case "rulePreviewed":
		case "previewClosed":
		case "auditFiltered":
			return reducePermissions(state, event);
		default:
			return reduceSessions(state, event);
	}
}

function reduceBars(state: ViewState, kind: "undone" | "undoLeft" | "problemLeft" | "retried"): Step {
	const { undo, problem } = state;
	switch (kind) {
		case "undone":
			return focusing(HOMES[state.tab], { ...state, undo: undefined }, ...(undo ? [undo.request] : []));
		case "undoLeft":
			return stay({ ...state, undo: undefined });
		case "problemLeft":
			return focusing(HOMES[state.tab], { ...state, problem: undefined });
		case "retried":
			return stay({ ...state, problem: undefined }, ...(problem ? [problem.request] : []));
	}
}

const HOMES: Record<ViewPart, string> = { sessions: "sessions", memory: "facts", permissions: "add-rule" };

function refresh(state: ViewState, part: ViewPart): Step {
	const { open } = state.sessions;
	switch (part) {
		case "sessions":
			return refreshSessions(state);
		case "memory":
			// Includes the facts of the open session.
			return stay(state, { kind: "listFacts", ...(open && { session: open.session }) });
		case "permissions":
			return refreshPermissions(state);
	}
}

function hear(state: ViewState, update: ViewUpdate): Step {
	switch (update.kind) {
		case "environment":
			return stay({ ...state, environment: update.environment });
		case "show":
			return state.tab === update.part ? stay(state) : refresh({ ...state, tab: update.part }, update.part);
		case "sessionsChanged": {
			const next = withoutVainUndo(state, update.changes);
			// The list is requested when its tab is chosen.
			return next.tab === "sessions" ? hearChanges(next, update.changes) : stay(next);
		}
		case "changed":
			// The others are asked for when they are shown.
			return state.tab === update.part ? refresh(state, update.part) : stay(state);
		case "facts":
			return stay(withMemory(state, { facts: update.facts }));
		case "rules":
		case "decisions":
		case "preview":
			return hearPermissions(state, update);
		case "did":
			return hearDone(state, update.request);
		case "failed":
			return hearFailed(state, update);
		default:
			return hearSessions(state, update);
	}
}

function hearDone(state: ViewState, request: ViewRequest): Step {
	const undo = undoOf(state, request);
	const next = undo
		? { ...state, undo, announcement: l10n.t("{0}. Undo with Ctrl+Z or Cmd+Z.", undo.label) }
		: state;
	switch (request.kind) {
		case "addRule":
			return focusing("add-rule", {
				...withPermissions(next, { form: undefined, preview: undefined }),
				announcement: l10n.t("Rule added"),
			});
		case "deleteSession": {
			const isOpen = state.sessions.open?.session === request.session;
			const closed = isOpen ? withSessions(next, { open: undefined }) : next;
			return focusing("sessions", closed);
		}
		case "restoreSession":
		case "rememberFact":
			return stay({ ...next, announcement: l10n.t("Undone") });
		case "renameSession":
			return stay({ ...next, announcement: l10n.t("Renamed") });
		case "stopStep":
			return stay({ ...next, announcement: l10n.t("The step was stopped") });
		case "resumeChain":
			return stay({ ...next, announcement: l10n.t("The chain continues in the chat") });
		default:
			return stay(next);
	}
}

function hearFailed(
	state: ViewState,
	{ request, message }: Extract<ViewUpdate, { readonly kind: "failed" }>,
): Step {
	const next = { ...state, problem: { message, request } };
	const isGone = request.kind === "readSession" && state.sessions.open?.session === request.session;
	// Without a transcript there is nothing to stay for.
	return stay(isGone && !state.sessions.open?.transcript ? withSessions(next, { open: undefined }) : next);
}

function asking(step: Step, ...requests: readonly ViewRequest[]): Step {
	return { ...step, requests: [...requests, ...step.requests] };
}

/** How something that was done is taken back; absent if that is not offered. Called before the lists are renewed. */
function undoOf(state: ViewState, request: ViewRequest): Undo | undefined {
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

/** A session that was restored elsewhere needs no restoring. */
function withoutVainUndo(state: ViewState, changes: readonly SessionChange[]): ViewState {
	const request = state.undo?.request;
	if (request?.kind !== "restoreSession") return state;
	const isBack = changes.some(({ id, after }) => id === request.session && after !== undefined);
	return isBack ? { ...state, undo: undefined } : state;
}

function undoForget({ memory }: ViewState, id: string): Undo | undefined {
	const fact = memory.facts?.find((one) => one.id === id);
	if (!fact) return undefined;
	const { text, scope, owner, source } = fact;
	return {
		label: l10n.t("Forgot “{0}”", text),
		request: { kind: "rememberFact", fact: { text, scope, source, ...(owner !== undefined && { owner }) } },
	};
}

function undoRevoke({ permissions }: ViewState, id: string): Undo | undefined {
	const use = permissions.rules?.find(({ rule }) => rule.id === id);
	if (!use || use.rule.scope === "once") return undefined;
	return {
		label: l10n.t("Revoked “{0}”", inWords(describeRule(use.rule), translationOf)),
		request: { kind: "addRule", rule: draftFrom(use.rule) },
	};
}
