import type { ViewRequest, ViewUpdate } from "../../src/protocol/webview.ts";
import { type Action, NO_FILTERS, openingState, type ViewState } from "../../webview/model/state.ts";
import { hear, open } from "../../webview/pageActions.ts";
import { manySessions } from "./fakeSessions.ts";

export const NOW = 1_700_000_000_000;
export const sessions = manySessions(250).map(({ session }) => session);

export function after(
	state: ViewState,
	...actions: readonly Action[]
): { state: ViewState; asked: ViewRequest[] } {
	let asked: ViewRequest[] = [];
	let current = state;
	for (const action of actions) {
		const step = action(current);
		current = step.state;
		asked = [...step.requests];
	}
	return { state: current, asked };
}

export function listed() {
	return after(openingState(undefined, NOW), open, hear(page(sessions, 0)));
}

export function page(all: typeof sessions, offset: number): ViewUpdate {
	const rows = all.slice(offset, offset + 300);
	return { kind: "sessions", filters: NO_FILTERS, offset, sessions: rows, total: all.length };
}

export function kindsOf(requests: readonly ViewRequest[]): string[] {
	return requests.map(({ kind }) => kind);
}
