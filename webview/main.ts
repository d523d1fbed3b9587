import "@vscode-elements/elements/dist/vscode-button/index.js";
import "@vscode-elements/elements/dist/vscode-option/index.js";
import "@vscode-elements/elements/dist/vscode-progress-ring/index.js";
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import "@vscode-elements/elements/dist/vscode-textarea/index.js";
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { render } from "lit";
import type { ViewPart, ViewRequest, ViewUpdate } from "../src/protocol/webview.ts";
import {
	isAtEnd,
	keepInView,
	placeMenu,
	restoreScroll,
	scrollToEnd,
	settleFocus,
	takeFocus,
} from "./effects.ts";
import type { ViewEvent } from "./model/event.ts";
import { openingState, type SavedState, savedState, type ViewState } from "./model/state.ts";
import { page } from "./page.ts";
import { reduce } from "./reduce.ts";

/** What VS Code gives to a page in it. */
interface VscodeApi {
	postMessage(request: ViewRequest): void;
	getState(): SavedState | undefined;
	setState(state: SavedState): void;
}

declare function acquireVsCodeApi(): VscodeApi;

/** Milliseconds between looks at the clock. */
const TICK = 30_000;
/** Milliseconds for which something can be taken back. */
const UNDO_TIME = 15_000;

/** Lets the events in one by one, and shows what each of them makes of the page. */
function openPage(vscode: VscodeApi, root: HTMLElement): (event: ViewEvent) => void {
	let state = openingState(vscode.getState(), Date.now());
	let undoTimer: ReturnType<typeof setTimeout> | undefined;
	const waiting: ViewEvent[] = [];
	const dispatch = (event: ViewEvent) => {
		// An element that leaves the page may send an event while the page is drawn: it waits its turn.
		if (waiting.push(event) > 1) return;
		for (let next = waiting[0]; next; waiting.shift(), next = waiting[0]) take(next);
	};
	const take = (event: ViewEvent) => {
		const former = state;
		const { state: following, requests, focus } = reduce(former, event);
		state = following;
		for (const request of requests) vscode.postMessage(request);
		if (state !== former || event.kind === "opened") draw(former);
		if (focus !== undefined) void takeFocus(focus, state.tab);
		else settleFocus(state.tab);
	};
	const draw = (former: ViewState) => {
		const follows = isAtEnd(former.sessions);
		render(page(state, dispatch), root);
		vscode.setState(savedState(state));
		placeMenu(former.sessions, state.sessions);
		keepInView(former.sessions, state.sessions);
		restoreScroll(former.sessions, state.sessions);
		if (follows && state.sessions.open?.transcript !== former.sessions.open?.transcript) scrollToEnd();
		if (state.undo === former.undo) return;
		clearTimeout(undoTimer);
		if (state.undo) undoTimer = setTimeout(() => dispatch({ kind: "undoLeft" }), UNDO_TIME);
	};
	window.addEventListener("focus", () => settleFocus(state.tab));
	document.addEventListener("keydown", (event) => onKey(event, state, dispatch));
	return dispatch;
}

/** The keys that count wherever the keyboard is. */
function onKey(event: KeyboardEvent, { tab, undo }: ViewState, dispatch: (event: ViewEvent) => void): void {
	const field = searchFieldOf(tab);
	if (wantsSearch(event) && field) field.focus();
	else if (wantsUndo(event) && undo && !isTyping(event)) dispatch({ kind: "undone" });
	else return;
	event.preventDefault();
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root.");
const dispatch = openPage(acquireVsCodeApi(), root);
window.addEventListener("message", ({ data }: MessageEvent<ViewUpdate>) =>
	dispatch({ kind: "told", update: data }),
);
setInterval(() => dispatch({ kind: "ticked", now: Date.now() }), TICK);
dispatch({ kind: "opened" });

const SEARCH_FIELDS: Record<ViewPart, string> = {
	sessions: "search",
	memory: "facts-search",
	permissions: "audit-search",
};

/** The field that searches a tab, where it is on the page. */
function searchFieldOf(tab: ViewPart): HTMLElement | null {
	return document.getElementById(SEARCH_FIELDS[tab]);
}

function wantsSearch(event: KeyboardEvent): boolean {
	const { key, ctrlKey, metaKey } = event;
	return (key.toLowerCase() === "f" && (ctrlKey || metaKey)) || (key === "/" && !isTyping(event));
}

function wantsUndo({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
	return key.toLowerCase() === "z" && (ctrlKey || metaKey) && !shiftKey;
}

/** Whether a key goes into a field. */
function isTyping(event: KeyboardEvent): boolean {
	const [target] = event.composedPath();
	return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
