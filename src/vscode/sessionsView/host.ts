import * as vscode from "vscode";
import type { SessionChange } from "../../core/session/session.ts";
import { type ViewPart, type ViewRequest, type ViewUpdate, viewRequest } from "../../protocol/webview.ts";
import { isCancellation } from "../cancellation.ts";
import { toldOf } from "../l10n.ts";
import { fillWebview } from "../webviewPage.ts";
import { answerFor, changedBy, type SessionsViewDeps, type ViewChange } from "./answers.ts";

export type SessionsViewHost = ReturnType<typeof openSessionsView>;

const NO_REQUEST = "The sessions view sent something that is no request.";

const SHOWS_SESSIONS: ReadonlySet<string | undefined> = new Set(["sessions", "hits", "transcript"]);

/** Milliseconds in which changes are reported together: a running turn makes many. */
const QUIET = 300;

export function openSessionsView(view: vscode.WebviewView, deps: SessionsViewDeps) {
	const closing = new AbortController();
	let isReady = false;
	let wanted: ViewPart | undefined;
	const tell = (update: ViewUpdate) => void (closing.signal.aborted || view.webview.postMessage(update));
	const tellWanted = () => {
		if (!wanted || !isReady) return;
		tell({ kind: "show", part: wanted });
		wanted = undefined;
	};
	const changes = createChanges(tell);
	const signalFor = createSignals(closing.signal);
	const receive = async (message: unknown) => {
		const { success, data: request } = viewRequest.safeParse(message);
		if (!success) return deps.log.warn(NO_REQUEST);
		const before = changes.heard();
		const update = await answer(request, deps, signalFor(request));
		if (update) tell(update);
		// What was read before a change takes back what the page was told of it.
		const isOld = before !== changes.heard() && SHOWS_SESSIONS.has(update?.kind);
		changes.add(isOld ? "sessions" : changedBy(request));
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
		deps.onDidChange(changes.hear),
	);
	fillWebview(view.webview, deps.extensionUri, {
		title: vscode.l10n.t("Copilot-LD sessions and permissions"),
		program: "webview",
	});
	return {
		show: (part: ViewPart) => {
			wanted = part;
			tellWanted();
			// Sessions of the CLI in a terminal do not report changes.
			changes.add(part);
		},
		dispose: () => {
			closing.abort(new vscode.CancellationError());
			vscode.Disposable.from(changes, listeners).dispose();
		},
	};
}

/** A new search cancels the one for the former text. */
function createSignals(closing: AbortSignal): (request: ViewRequest) => AbortSignal {
	let searching = new AbortController();
	return ({ kind }) => {
		if (kind !== "searchSessions") return closing;
		searching.abort(new vscode.CancellationError());
		searching = new AbortController();
		return AbortSignal.any([closing, searching.signal]);
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

function createChanges(tell: (update: ViewUpdate) => void) {
	let heard = 0;
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
	const add = (part: ViewPart | undefined) => {
		if (part) old.add(part);
		timer ??= setTimeout(tellAll, QUIET);
	};
	return {
		hear: ({ part, changes }: ViewChange) => {
			heard++;
			if (changes) sessions.push(...changes);
			add(changes ? undefined : part);
		},
		add,
		/** How many changes were heard. */
		heard: () => heard,
		dispose: () => clearTimeout(timer),
	};
}
