import type { Decision, RuleUse } from "../../src/core/permission/permission.ts";
import type { Fact } from "../../src/core/session/memory.ts";
import type { SessionSummary, Transcript } from "../../src/core/session/session.ts";
import type {
	SessionFilters,
	ViewEnvironment,
	ViewPart,
	ViewRequest,
	ViewUpdate,
} from "../../src/protocol/webview.ts";

export interface ViewState {
	/** Milliseconds since 1970, for relative times. */
	readonly now: number;
	readonly tab: ViewPart;
	readonly environment?: ViewEnvironment;
	readonly sessions: SessionsState;
	readonly memory: { readonly facts?: readonly Fact[]; readonly text: string };
	readonly permissions: PermissionsState;
	readonly undo?: { readonly label: string; readonly request: ViewRequest } | undefined;
	readonly problem?: { readonly message: string; readonly request: ViewRequest } | undefined;
	/** Text that screen readers read when it changes. */
	readonly announcement: string;
}

export interface SessionsState {
	readonly filters: SessionFilters;
	readonly showsFilters: boolean;
	/** The text of the search; empty for the whole list. */
	readonly text: string;
	/** All rows of the list; a row not requested yet is `undefined`. Absent before the first answer. */
	readonly rows?: readonly (Row | undefined)[] | undefined;
	/** Index of the first row of the last request. */
	readonly offset: number;
	readonly active: number;
	readonly shown: { readonly first: number; readonly last: number };
	readonly open?: OpenSession | undefined;
}

export interface Row {
	readonly session: SessionSummary;
	readonly turn?: number;
	readonly excerpt?: string;
}

export interface OpenSession {
	readonly session: string;
	readonly turn?: number | undefined;
	/** Scroll position in pixels. */
	readonly scroll?: number;
	readonly transcript?: Transcript;
}

export interface PermissionsState {
	readonly rules?: readonly RuleUse[];
	readonly audit: AuditState;
}

export interface AuditState {
	readonly text: string;
	readonly effect?: Decision["effect"] | undefined;
	readonly limit: number;
	readonly decisions?: readonly Decision[];
}

/** Version of the saved state. A page ignores state with another version. */
const SAVED_VERSION = 2;

export const NO_FILTERS: SessionFilters = { thisWorkspace: false, archived: false };
export const AUDIT_PAGE = 100;

export const FRESH_LIST = { active: 0, shown: { first: 0, last: 0 }, rows: undefined };

export function openingState(found: SavedState | undefined, now: number): ViewState {
	const saved = found?.version === SAVED_VERSION ? found : undefined;
	const list = { ...FRESH_LIST, filters: NO_FILTERS, showsFilters: false, text: "", offset: 0 };
	return {
		now,
		tab: saved?.tab ?? "sessions",
		sessions: { ...list, ...saved?.sessions },
		memory: { text: "" },
		permissions: { audit: { text: saved?.auditText ?? "", limit: AUDIT_PAGE } },
		announcement: "",
	};
}

export type SavedState = ReturnType<typeof savedState>;

export function savedState({ tab, sessions, permissions }: ViewState) {
	const { filters, showsFilters, text, active, shown, open } = sessions;
	const { transcript: _told, ...place } = open ?? { session: "" };
	const { first } = shown;
	return {
		version: SAVED_VERSION,
		tab,
		sessions: { filters, showsFilters, text, active, shown: { first, last: first }, open: open && place },
		auditText: permissions.audit.text,
	};
}

export interface Step<State = ViewState, Request = ViewRequest> {
	readonly state: State;
	readonly requests: readonly Request[];
	readonly focus?: string;
}

/** A pure function from the page's state to the next step, for a host's message, a user's action, or a timer. */
export type Action<State = ViewState, Request = ViewRequest> = (state: State) => Step<State, Request>;

export type Update<Kind extends ViewUpdate["kind"]> = Extract<ViewUpdate, { readonly kind: Kind }>;

export type Dispatch = (action: Action) => void;

export function stay<State, Request>(state: State, ...requests: readonly Request[]): Step<State, Request> {
	return { state, requests };
}

export function focusing(focus: string, state: ViewState, ...requests: readonly ViewRequest[]): Step {
	return { state, requests, focus };
}

export function withPart<Part extends ViewPart>(
	state: ViewState,
	part: Part,
	values: Partial<ViewState[Part]>,
): ViewState {
	return { ...state, [part]: { ...state[part], ...values } };
}

export function wanted(request: ViewRequest): Action {
	return (state) => stay(state, request);
}

/** Value of `data-vscode-context`, by which VS Code chooses menu items, and which commands receive. */
export function menuOf(
	{ id: session, title, engine, turns, archived: isArchived }: SessionSummary,
	place: "row" | "transcript",
): string {
	// The number of turns of a session known only to the CLI is unknown, so the maximum is assumed.
	const isOnlyOfCli = engine === "cli" && turns === 0;
	return JSON.stringify({
		session,
		title,
		turns: isOnlyOfCli ? Number.MAX_SAFE_INTEGER : Math.max(1, turns),
		isArchived,
		canArchive: !isOnlyOfCli,
		// Lets the user copy text from a transcript.
		preventDefaultContextMenuItems: place === "row",
	});
}
