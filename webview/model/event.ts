import type { RuleUse } from "../../src/core/permission/permission.ts";
import type { SessionFilters, ViewPart, ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import type { AuditState, Menu, RuleForm, ViewState } from "./state.ts";

/** Events of the page: a message of the host, an action of the user, or the passing of time. */
export type ViewEvent =
	| { readonly kind: "opened" }
	| { readonly kind: "told"; readonly update: ViewUpdate }
	| { readonly kind: "ticked"; readonly now: number }
	| { readonly kind: "tabChosen"; readonly tab: ViewPart }
	/** A request of the user to the host. */
	| { readonly kind: "wanted"; readonly request: ViewRequest }
	| { readonly kind: "undone" | "undoLeft" | "problemLeft" | "retried" }
	| SessionsEvent
	| MemoryEvent
	| PermissionsEvent;

export type SessionsEvent =
	| { readonly kind: "filtersChosen"; readonly filters: SessionFilters }
	| { readonly kind: "filtersToggled" }
	| { readonly kind: "searched"; readonly text: string }
	| { readonly kind: "rowsShown"; readonly first: number; readonly last: number }
	| { readonly kind: "rowChosen"; readonly index: number }
	| { readonly kind: "sessionOpened"; readonly session: string; readonly turn?: number }
	| { readonly kind: "sessionClosed" }
	| { readonly kind: "transcriptScrolled"; readonly top: number }
	/** A step of a chain, by its own session. */
	| { readonly kind: "stepStopped"; readonly session: string }
	/** With a step, that one and all after it run again. */
	| { readonly kind: "chainResumed"; readonly step?: string }
	| { readonly kind: "menuOpened"; readonly menu: Menu }
	/** `left` if the focus moved elsewhere. */
	| { readonly kind: "menuClosed"; readonly left?: boolean }
	| { readonly kind: "renameBegun"; readonly session: string }
	/** Without a title if it was cancelled; `left` if the focus moved elsewhere. */
	| { readonly kind: "renameEnded"; readonly title?: string; readonly left?: boolean };

export type MemoryEvent =
	| { readonly kind: "factsFiltered"; readonly text: string }
	| { readonly kind: "editBegun"; readonly fact: string }
	/** Without a text if it was cancelled. */
	| { readonly kind: "editEnded"; readonly text?: string };

export type PermissionsEvent =
	| { readonly kind: "formOpened" | "formClosed" | "formSent" | "formPreviewed" | "previewClosed" }
	| { readonly kind: "formFilled"; readonly fields: Partial<RuleForm> }
	| { readonly kind: "rulePreviewed"; readonly use: RuleUse }
	| {
			readonly kind: "auditFiltered";
			readonly filter: Partial<Pick<AuditState, "text" | "effect" | "limit">>;
	  };

export type Dispatch = (event: ViewEvent) => void;

export interface Step {
	readonly state: ViewState;
	readonly requests: readonly ViewRequest[];
	readonly focus?: string;
}

export function wanted(request: ViewRequest): ViewEvent {
	return { kind: "wanted", request };
}

export function stay(state: ViewState, ...requests: readonly ViewRequest[]): Step {
	return { state, requests };
}

/** A step after which the element with this id has the focus. */
export function focusing(focus: string, state: ViewState, ...requests: readonly ViewRequest[]): Step {
	return { state, requests, focus };
}
