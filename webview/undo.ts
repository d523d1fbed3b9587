import { describeRule } from "../src/core/permission/ruleText.ts";
import { inWords } from "../src/core/phrase.ts";
import type { SessionChange } from "../src/core/session/session.ts";
import type { ViewRequest } from "../src/protocol/webview.ts";
import type { Undo, ViewState } from "./model/state.ts";
import { l10n, translationOf } from "./parts/l10n.ts";
import { draftFrom } from "./permissions/reducePermissions.ts";
import { titleOf } from "./sessions/shownSessions.ts";

/** How something that was done is taken back; absent where that is not offered. Called before the lists are renewed. */
export function undoOf(state: ViewState, request: ViewRequest): Undo | undefined {
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
export function withoutVainUndo(state: ViewState, changes: readonly SessionChange[]): ViewState {
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
