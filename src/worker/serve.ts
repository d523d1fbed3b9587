import type { CancellationToken, NotificationType, RequestType } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { type Recorder, timed } from "../base/recorder.ts";
import { signalOf } from "../protocol/cancellation.ts";
import { toResponse } from "../protocol/failure.ts";
import * as sessions from "../protocol/sessions.ts";
import * as protocol from "../protocol/worker.ts";
import type { SessionStore } from "../sessions/openSessions.ts";
import type { KnowledgeBase } from "./knowledgeBase.ts";

export interface Served {
	readonly connection: Connection;
	/** Hears which requests there were, how long they took and how they ended. */
	readonly recorder: Recorder;
}

/** Answers what is asked of the process itself. */
export function serveDiagnostics({ connection, recorder }: Served): void {
	connection.onRequest(
		protocol.diagnose.method,
		(): protocol.WorkerDiagnostics => ({
			uptimeMs: Math.round(process.uptime() * 1000),
			residentMb: Math.round(process.memoryUsage.rss() / 1e6),
			entries: recorder.entries(),
			dropped: recorder.dropped(),
		}),
	);
}

/** Answers every request of the protocol; the first one opens the knowledge base. */
export function serve({ connection, recorder }: Served, open: () => Promise<KnowledgeBase>): void {
	const { on, hear } = createDoor({ connection, recorder }, open);
	on(protocol.search, (base, query, signal) => base.search(query, signal));
	on(protocol.read, (base, query, signal) => base.read(query, signal));
	on(protocol.status, (base, _none, signal) => base.status(signal));
	on(protocol.index, (base, { rebuild, progress }, signal) =>
		base.index(
			{ rebuild },
			(now) => void connection.sendProgress(protocol.indexProgress, progress, now),
			signal,
		),
	);
	on(protocol.queryGraph, (base, query, signal) => base.graph.query(query, signal));
	on(protocol.checkQuery, (base, query, signal) => base.graph.check(query, signal));
	on(protocol.describeOntology, (base, query, signal) => base.graph.ontology(query, signal));
	on(protocol.browse, (base, { uri }, signal) => base.catalog.browse(uri, signal));
	on(protocol.resources, (base, { uri }, signal) => base.catalog.resources(uri, signal));
	on(protocol.explain, (base, { uri }, signal) => base.catalog.explain(uri, signal));
	on(protocol.problems, (base, { of }, signal) => base.catalog.problems(of, signal));
	on(protocol.policies, (base, _none, signal) => base.catalog.policies(signal));
	on(protocol.reindex, (base, { uris }, signal) => base.catalog.reindex(uris, signal));
	on(protocol.pauseIndexing, (base, { paused }, signal) => base.catalog.pause(paused, signal));
	on(protocol.undescribed, (base, { limit }, signal) => base.descriptions.undescribed(limit, signal));
	on(protocol.describe, (base, { hash, descriptor }, signal) =>
		base.descriptions.describe(hash, descriptor, signal),
	);
	hear(protocol.foldersChanged, (base, folders) => base.setFolders(folders));
	hear(protocol.filesChanged, (base, { uris }) => base.filesChanged(uris));
}

/** Answers what is asked of sessions and memory: also where there is no knowledge base, or a broken one. */
export function serveSessions(served: Served, open: () => Promise<SessionStore>): void {
	const { on } = createDoor(served, open);
	on(sessions.appendToSession, (store, { id, entries }, signal) =>
		store.sessions.append(id, entries, signal),
	);
	on(sessions.listSessions, (store, query, signal) => store.sessions.list(query, signal));
	on(sessions.readSession, (store, { id }, signal) => store.sessions.read(id, signal));
	on(sessions.searchSessions, (store, query, signal) => store.sessions.search(query, signal));
	on(sessions.forkSession, (store, { id, turns }, signal) => store.sessions.fork(id, turns, signal));
	on(sessions.deleteSession, (store, { id }, signal) => store.sessions.delete(id, signal));
	on(sessions.restoreSession, (store, { id }, signal) => store.sessions.restore(id, signal));
	on(sessions.remember, (store, fact, signal) => store.memory.remember(fact, signal));
	on(sessions.recall, (store, query, signal) => store.memory.recall(query, signal));
	on(sessions.listFacts, (store, where, signal) => store.memory.facts(where, signal));
	on(sessions.editFact, (store, { id, text }, signal) => store.memory.edit(id, text, signal));
	on(sessions.forgetFact, (store, { id }, signal) => store.memory.forget(id, signal));
}

/** The edge of the process: what is thrown behind it goes over the pipe as the protocol says. */
function createDoor<Base>({ connection, recorder }: Served, open: () => Promise<Base>) {
	return {
		on: <Params, Result>(
			{ method }: RequestType<Params, Result, protocol.FailureData>,
			ask: (base: Base, params: Params, signal: AbortSignal) => Promise<Result>,
		) =>
			connection.onRequest(method, async (params: Params, token: CancellationToken): Promise<unknown> => {
				using cancellation = signalOf(token);
				try {
					return await timed(recorder, { namespace: "worker", event: method }, async () =>
						ask(await open(), params, cancellation.signal),
					);
				} catch (thrown) {
					throw toResponse(thrown, cancellation.signal);
				}
			}),
		hear: <Params>({ method }: NotificationType<Params>, tell: (base: Base, params: Params) => void) =>
			connection.onNotification(method, async (params: Params) => {
				try {
					tell(await open(), params);
				} catch (thrown) {
					connection.console.error(messageOf(thrown));
				}
			}),
	};
}
