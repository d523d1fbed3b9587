import * as vscode from "vscode";
import type { SessionChange } from "../../core/session/session.ts";
import { type ViewPart, type ViewRequest, type ViewUpdate, viewRequest } from "../../protocol/webview.ts";
import { isCancellation } from "../cancellation.ts";
import { fillWebview } from "../fillWebview.ts";
import { toldOf } from "../l10n.ts";
import { answerFor, changedBy, type SessionsViewDeps, type ViewChange } from "./answers.ts";
import { sessionsViewPage } from "./page.ts";

export interface SessionsViewHost extends vscode.Disposable {
	show(part: ViewPart): void;
}

const NO_REQUEST = "The sessions view sent something that is no request.";

/** Milliseconds in which changes are reported together: a running turn makes many. */
const QUIET = 300;

export function openSessionsView(view: vscode.WebviewView, deps: SessionsViewDeps): SessionsViewHost {
	const closing = new AbortController();
	let searching = new AbortController();
	let isReady = false;
	let wanted: ViewPart | undefined;
	const tell = (update: ViewUpdate) => void (closing.signal.aborted || view.webview.postMessage(update));
	const tellWanted = () => {
		if (!wanted || !isReady) return;
		tell({ kind: "show", part: wanted });
		wanted = undefined;
	};
	const changes = createChanges(tell);
	const signalFor = (request: ViewRequest): AbortSignal => {
		if (request.kind !== "searchSessions") return closing.signal;
		// A new search cancels the one for the former text.
		searching.abort(new vscode.CancellationError());
		searching = new AbortController();
		return AbortSignal.any([closing.signal, searching.signal]);
	};
	const receive = async (message: unknown) => {
		const { success, data: request } = viewRequest.safeParse(message);
		if (!success) return deps.log.warn(NO_REQUEST);
		const update = await answer(request, deps, signalFor(request));
		if (update) tell(update);
		const part = changedBy(request);
		if (part) changes.add({ part });
		if (request.kind !== "ready") return;
		isReady = true;
		tellWanted();
	};
	const listeners = vscode.Disposable.from(
		view.webview.onDidReceiveMessage(receive),
		// A hidden page is discarded, and reports that it is ready when it is created again.
		view.onDidChangeVisibility(() => {
			isReady &&= view.visible;
		}),
		deps.onDidChange((change) => changes.add(change)),
	);
	fillWebview(view.webview, deps.extensionUri, sessionsViewPage);
	return {
		show: (part) => {
			wanted = part;
			tellWanted();
			// Sessions of the CLI in a terminal do not report changes.
			changes.add({ part });
		},
		dispose: () => {
			closing.abort(new vscode.CancellationError());
			vscode.Disposable.from(changes, listeners).dispose();
		},
	};
}

/** The update for the page; `undefined` if its request was cancelled. */
async function answer(
	request: ViewRequest,
	deps: SessionsViewDeps,
	signal: AbortSignal,
): Promise<ViewUpdate | undefined> {
	try {
		return (await answerFor(request, deps, signal)) ?? { kind: "did", request };
	} catch (thrown) {
		if (isCancellation(thrown)) return undefined;
		deps.log.error(thrown instanceof Error ? thrown : String(thrown));
		return { kind: "failed", request, message: toldOf(thrown) };
	}
}

function createChanges(
	tell: (update: ViewUpdate) => void,
): vscode.Disposable & { add(change: ViewChange): void } {
	const old = new Set<ViewPart>();
	let sessions: SessionChange[] = [];
	let timer: NodeJS.Timeout | undefined;
	const tellAll = () => {
		timer = undefined;
		for (const part of old) tell({ kind: "changed", part });
		// A list that is requested again includes the changes.
		if (sessions.length > 0 && !old.has("sessions")) tell({ kind: "sessionsChanged", changes: sessions });
		old.clear();
		sessions = [];
	};
	return {
		add: ({ part, changes }) => {
			if (changes) sessions.push(...changes);
			else old.add(part);
			timer ??= setTimeout(tellAll, QUIET);
		},
		dispose: () => clearTimeout(timer),
	};
}
