import type { ViewRequest } from "../../src/protocol/webview.ts";
import type { SessionsState, ViewState } from "./state.ts";

export interface Step {
	readonly state: ViewState;
	readonly requests: readonly ViewRequest[];
	/** Id of the element that then has the focus. */
	readonly focus?: string;
}

/** A decision of the page: what a message of the host, an action of the user, or time makes of its state. Pure. */
export type Action = (state: ViewState) => Step;

export type Dispatch = (action: Action) => void;

export function stay(state: ViewState, ...requests: readonly ViewRequest[]): Step {
	return { state, requests };
}

/** A step after which the element with this id has the focus. */
export function focusing(focus: string, state: ViewState, ...requests: readonly ViewRequest[]): Step {
	return { state, requests, focus };
}

export function withSessions(state: ViewState, part: Partial<SessionsState>): ViewState {
	return { ...state, sessions: { ...state.sessions, ...part } };
}

/** Id of the part with the focus by default: the transcript, or the list. */
export function homeOf({ open }: SessionsState): string {
	return open ? "transcript" : "sessions";
}

/** A request of the user to the host. */
export function wanted(request: ViewRequest): Action {
	return (state) => withoutMenu(state, request);
}

/** Closes the menu, and gives the focus back. */
export function withoutMenu(state: ViewState, ...requests: readonly ViewRequest[]): Step {
	const step = stay(withSessions(state, { menu: undefined }), ...requests);
	return state.sessions.menu ? { ...step, focus: homeOf(state.sessions) } : step;
}
