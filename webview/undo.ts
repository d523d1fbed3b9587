import { describeRule } from "../src/core/permission/ruleText.ts";
import type { ViewRequest } from "../src/protocol/webview.ts";
import type { Undo, ViewState } from "./model/state.ts";
import { draftFrom } from "./permissions/reducePermissions.ts";
import { titleOf } from "./sessions/shownSessions.ts";

/** How something that was done is taken back; absent where that is not offered. Called before the lists are renewed. */
export function undoOf(state: ViewState, request: ViewRequest): Undo | undefined {
	switch (request.kind) {
		case "deleteSession": {
			const { session } = request;
			const label = `Deleted “${titleOf(state.sessions, session)}”`;
			return { label, request: { kind: "restoreSession", session } };
		}
		case "archiveSession": {
			const { session, archived } = request;
			const label = `${archived ? "Archived" : "Unarchived"} “${titleOf(state.sessions, session)}”`;
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

function undoForget({ memory }: ViewState, id: string): Undo | undefined {
	const fact = memory.facts?.find((one) => one.id === id);
	if (!fact) return undefined;
	const { text, scope, owner, source } = fact;
	return {
		label: `Forgot “${text}”`,
		request: { kind: "rememberFact", fact: { text, scope, source, ...(owner !== undefined && { owner }) } },
	};
}

function undoRevoke({ permissions }: ViewState, id: string): Undo | undefined {
	const use = permissions.rules?.find(({ rule }) => rule.id === id);
	if (!use || use.rule.scope === "once") return undefined;
	return {
		label: `Revoked “${describeRule(use.rule)}”`,
		request: { kind: "addRule", rule: draftFrom(use.rule) },
	};
}
