import type { CancellationToken, NotificationType, RequestType } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../core/failure.ts";
import { signalOf } from "../protocol/cancellation.ts";
import { toResponse } from "../protocol/failure.ts";
import * as protocol from "../protocol/worker.ts";
import type { KnowledgeBase } from "./knowledgeBase.ts";

/** Answers every request of the protocol; the first one opens the knowledge base. */
export function serve(connection: Connection, open: () => Promise<KnowledgeBase>): void {
	const { on, hear } = createDoor(connection, open);
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
	on(protocol.checkQuery, (base, { sparql, door }, signal) => base.graph.check(sparql, signal, door));
	on(protocol.describeOntology, (base, query, signal) => base.graph.ontology(query, signal));
	on(protocol.browse, (base, { uri }, signal) => base.catalog.browse(uri, signal));
	on(protocol.resources, (base, { uri }, signal) => base.catalog.resources(uri, signal));
	on(protocol.explain, (base, { uri }, signal) => base.catalog.explain(uri, signal));
	on(protocol.problems, (base, _none, signal) => base.catalog.problems(signal));
	on(protocol.reindex, (base, { uris }, signal) => base.catalog.reindex(uris, signal));
	on(protocol.pauseIndexing, (base, { paused }, signal) => base.catalog.pause(paused, signal));
	hear(protocol.foldersChanged, (base, folders) => base.setFolders(folders));
	hear(protocol.filesChanged, (base, { uris }) => base.filesChanged(uris));
}

/** The edge of the process: what is thrown behind it goes over the pipe as the protocol says. */
function createDoor(connection: Connection, open: () => Promise<KnowledgeBase>) {
	return {
		on: <Params, Result>(
			{ method }: RequestType<Params, Result, protocol.FailureData>,
			ask: (base: KnowledgeBase, params: Params, signal: AbortSignal) => Promise<Result>,
		) =>
			connection.onRequest(method, async (params: Params, token: CancellationToken): Promise<unknown> => {
				using cancellation = signalOf(token);
				try {
					return await ask(await open(), params, cancellation.signal);
				} catch (thrown) {
					throw toResponse(thrown, cancellation.signal);
				}
			}),
		hear: <Params>(
			{ method }: NotificationType<Params>,
			tell: (base: KnowledgeBase, params: Params) => void,
		) =>
			connection.onNotification(method, async (params: Params) => {
				try {
					tell(await open(), params);
				} catch (thrown) {
					connection.console.error(messageOf(thrown));
				}
			}),
	};
}
