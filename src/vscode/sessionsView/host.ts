import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { SourcedPolicy } from "../../core/knowledge/catalog.ts";
import { type Citation, formatCitation } from "../../core/knowledge/citation.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import {
	type RuleDraft,
	type SessionFilters,
	type ViewPart,
	type ViewRequest,
	type ViewUpdate,
	viewRequest,
} from "../../protocol/webview.ts";
import { isCancellation } from "../cancellation.ts";
import { locationOf, openLocation } from "../folders.ts";
import { toldOf } from "../l10n.ts";
import type { LiveTurns } from "../turn/turnRecord.ts";
import { fillWebview } from "../webviewPage.ts";
import { askForText, askRule, isWanted } from "./askInFields.ts";
import { exportPermissions, exportSession, toldDecision, toldTranscript } from "./exportSession.ts";

export type SessionsViewHost = ReturnType<typeof openSessionsView>;

/** Milliseconds over which changes are collected, because a running turn makes many changes. */
const QUIET = 500;

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
		if (!success) return deps.log.warn("The sessions view sent something that is no request.");
		const update = await answer(request, deps, signalFor(request));
		if (update) tell(update);
		changes.add(changedBy(request));
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
		deps.onDidChange(changes.add),
	);
	const title = vscode.l10n.t("Copilot-LD sessions and permissions");
	fillWebview(view.webview, deps.extensionUri, { title, program: "webview" });
	return {
		/** Answers a request as if the page had sent it. */
		receive,
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

/** Returns the signal of a request. A new search cancels the former search. */
function createSignals(closing: AbortSignal): (request: ViewRequest) => AbortSignal {
	let searching = new AbortController();
	return ({ kind }) => {
		if (kind !== "searchSessions") return closing;
		searching.abort(new vscode.CancellationError());
		searching = new AbortController();
		return AbortSignal.any([closing, searching.signal]);
	};
}

async function answer(request: ViewRequest, deps: SessionsViewDeps, signal: AbortSignal) {
	try {
		return (await answerFor(request, deps, signal)) ?? ({ kind: "did", request } as const);
	} catch (thrown) {
		if (isCancellation(thrown)) return undefined;
		deps.log.error(thrown instanceof Error ? thrown : String(thrown));
		return { kind: "failed", request, message: toldOf(thrown) } as const;
	}
}

function createChanges(tell: (update: ViewUpdate) => void) {
	const old = new Set<ViewPart>();
	let timer: NodeJS.Timeout | undefined;
	const tellAll = () => {
		timer = undefined;
		for (const part of old) tell({ kind: "changed", part });
		old.clear();
	};
	return {
		add: (part: ViewPart | undefined) => {
			if (!part) return;
			old.add(part);
			timer ??= setTimeout(tellAll, QUIET);
		},
		dispose: () => clearTimeout(timer),
	};
}

export interface ViewPorts {
	readonly sessions: Sessions;
	readonly memory: Memory;
	readonly permissions: Permissions;
	readonly steps: { readonly stop: LiveTurns["stop"] };
	policies(): Promise<readonly SourcedPolicy[]>;
	workspace(): string;
}

export interface SessionsViewDeps extends ViewPorts {
	readonly onDidChange: vscode.Event<ViewPart>;
	readonly extensionUri: vscode.Uri;
	readonly log: vscode.LogOutputChannel;
}

function owned(rule: RuleDraft, workspace: string): RuleDraft {
	if (rule.scope !== "workspace" || rule.owner !== undefined) return rule;
	if (workspace === "")
		throw new Failure("NO_FOLDER", vscode.l10n.t("Open a folder first: this rule applies to a workspace."));
	return { ...rule, owner: workspace };
}

type Request<Kind extends ViewRequest["kind"]> = Extract<ViewRequest, { readonly kind: Kind }>;

/** Handlers resolve to an update, or to `undefined` if there is nothing to show. */
type Answers = {
	readonly [Kind in ViewRequest["kind"]]: (
		request: Request<Kind>,
		deps: ViewPorts,
		signal: AbortSignal,
	) => Promise<ViewUpdate | undefined>;
};

const DAY = 24 * 60 * 60_000;
const lastMonth = () => Date.now() - 30 * DAY;
const MAX_HITS = 100;
/** Maximum lengths in characters. */
const [MAX_TITLE, MAX_FACT] = [200, 2000];

const answers: Answers = {
	ready: async (_, { workspace, policies }) => ({
		kind: "environment",
		environment: { workspace: workspace(), policies: await policies() },
	}),
	listSessions: async ({ filters, offset, limit }, { sessions, workspace }, signal) => {
		const query = { ...queryOf(filters, workspace()), offset, limit };
		return { kind: "sessions", filters, offset, ...(await sessions.list(query, signal)) };
	},
	searchSessions: async ({ filters, text }, { sessions, workspace }, signal) => {
		const query = { ...queryOf(filters, workspace()), text, limit: MAX_HITS };
		return { kind: "hits", filters, text, hits: await sessions.search(query, signal) };
	},
	readSession: async ({ session }, { sessions }, signal) => ({
		kind: "transcript",
		transcript: toldTranscript(await sessions.read(session, signal)),
	}),
	renameSession: async ({ session, title: former }, { sessions }, signal) => {
		const title = await askForText(vscode.l10n.t("Rename Session"), former, MAX_TITLE);
		if (title) await sessions.append(session, [{ kind: "titled", at: Date.now(), title }], signal);
	},
	archiveSession: ({ session, archived }, { sessions }, signal) =>
		done(sessions.append(session, [{ kind: "archived", at: Date.now(), archived }], signal)),
	deleteSession: ({ session }, { sessions }, signal) => done(sessions.delete(session, signal)),
	restoreSession: ({ session }, { sessions }, signal) => done(sessions.restore(session, signal)),
	forkSession: async ({ session, turns }, { sessions }, signal) => ({
		kind: "forked",
		session: await sessions.fork(session, turns, signal),
	}),
	exportSession: async ({ session, format }, { sessions }, signal) =>
		done(exportSession(await sessions.read(session, signal), format)),
	resumeSession: ({ session }) => done(vscode.commands.executeCommand("copilot-ld.resumeSession", session)),
	stopStep: async ({ session }, { steps }) => {
		if (!steps.stop(session))
			throw new Failure("NOT_FOUND", vscode.l10n.t("This step is no longer running in this window."));
	},
	resumeChain: ({ session, step }) =>
		done(vscode.commands.executeCommand("copilot-ld.resumeAgentChain", session, step)),
	openCitation: ({ citation }) => done(openCitation(citation)),
	openLink: ({ href }) => done(openLink(href)),
	listFacts: async ({ session }, { memory, workspace }, signal) => {
		const where = { workspace: workspace(), ...(session !== undefined && { session }) };
		return { kind: "facts", facts: await memory.facts(where, signal) };
	},
	editFact: async ({ fact, text: former }, { memory }, signal) => {
		const text = await askForText(vscode.l10n.t("Edit Fact"), former, MAX_FACT);
		if (text) await memory.edit(fact, text, signal);
	},
	forgetFact: ({ fact }, { memory }, signal) => done(memory.forget(fact, signal)),
	rememberFact: ({ fact }, { memory }, signal) => done(memory.remember(fact, signal)),
	listRules: async (_, { permissions }) => ({ kind: "rules", rules: await permissions.rules() }),
	addRule: async ({ rule }, { permissions, workspace }) => done(permissions.add(owned(rule, workspace()))),
	makeRule: async (_, { permissions, workspace }) => {
		const draft = await askRule();
		const rule = draft && owned(draft, workspace());
		if (rule && (await isWanted(await permissions.preview(rule, lastMonth())))) await permissions.add(rule);
	},
	revokeRule: ({ rule }, { permissions }) => done(permissions.revoke(rule)),
	listDecisions: async ({ text, limit }, { permissions }) => {
		const decisions = await permissions.decisions({ limit, ...(text !== "" && { text }) });
		return { kind: "decisions", text, limit, decisions: decisions.map(toldDecision) };
	},
	exportPermissions: (_, { permissions }) => done(exportPermissions(permissions)),
	openSettings: () =>
		done(vscode.commands.executeCommand("workbench.action.openSettings", "@id:copilot-LD.permissions.rules")),
};

export function answerFor<Kind extends ViewRequest["kind"]>(
	request: Request<Kind>,
	deps: ViewPorts,
	signal: AbortSignal,
): Promise<ViewUpdate | undefined> {
	return answers[request.kind as Kind](request, deps, signal);
}

/** The part to refresh after a request; changes of sessions are reported by their source. */
export function changedBy({ kind }: ViewRequest): ViewPart | undefined {
	return CHANGES[kind];
}

const CHANGES: Partial<Record<ViewRequest["kind"], ViewPart>> = {
	editFact: "memory",
	forgetFact: "memory",
	rememberFact: "memory",
	addRule: "permissions",
	makeRule: "permissions",
	revokeRule: "permissions",
};

async function done(action: PromiseLike<unknown>): Promise<undefined> {
	await action;
}

function queryOf({ engine, thisWorkspace, days, archived }: SessionFilters, workspace: string) {
	return {
		archived,
		...(engine && { engine }),
		...(thisWorkspace && { workspace }),
		...(days !== undefined && { since: Date.now() - days * DAY }),
	};
}

/** Opens a citation in one of the window's folders only, because transcripts contain untrusted text. */
async function openCitation(citation: Citation): Promise<void> {
	const location = locationOf(citation);
	const elsewhere = vscode.l10n.t(
		"{0} is not in a folder of this window. Open the folder that the session was about.",
		formatCitation(citation),
	);
	if (!location) throw new Failure("NOT_FOUND", elsewhere);
	await openLocation(location);
}

const SCHEMES = ["https", "http", "mailto"];

/** VS Code asks the user before it opens an untrusted address. */
async function openLink(href: string): Promise<void> {
	const scheme = URL.parse(href)?.protocol.slice(0, -1);
	if (!scheme || !SCHEMES.includes(scheme))
		throw new Failure("BAD_INPUT", vscode.l10n.t("Only web and mail links can be opened, not “{0}”.", href));
	await vscode.env.openExternal(vscode.Uri.parse(href));
}
