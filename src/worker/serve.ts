import type { CancellationToken } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../core/failure.ts";
import { signalOf } from "../protocol/cancellation.ts";
import { toResponse } from "../protocol/failure.ts";
import * as protocol from "../protocol/worker.ts";
import type { KnowledgeBase } from "./knowledgeBase.ts";

/** Answers every request of the protocol; the first one opens the knowledge base. */
export function serve(connection: Connection, open: () => Promise<KnowledgeBase>): void {
	const { onRequest, onNotification } = connection;
	onRequest(protocol.search, (query, token) => answer(token, (base, signal) => base.search(query, signal)));
	onRequest(protocol.read, (query, token) => answer(token, (base, signal) => base.read(query, signal)));
	onRequest(protocol.status, (_none, token) => answer(token, (base, signal) => base.status(signal)));
	onRequest(protocol.index, ({ rebuild, progress }, token) =>
		answer(token, (base, signal) =>
			base.index(
				{ rebuild },
				(now) => void connection.sendProgress(protocol.indexProgress, progress, now),
				signal,
			),
		),
	);
	onNotification(protocol.foldersChanged, (folders) => notify((base) => base.setFolders(folders)));
	onNotification(protocol.filesChanged, ({ uris }) => notify((base) => base.filesChanged(uris)));

	async function answer<Result>(
		token: CancellationToken,
		ask: (base: KnowledgeBase, signal: AbortSignal) => Promise<Result>,
	): Promise<Result> {
		using cancellation = signalOf(token);
		try {
			return await ask(await open(), cancellation.signal);
		} catch (thrown) {
			const response = toResponse(thrown, cancellation.signal);
			// A bug: the one who asked gets its message, the log where it is.
			if (response === thrown && thrown instanceof Error)
				connection.console.error(thrown.stack ?? thrown.message);
			throw response;
		}
	}

	async function notify(tell: (base: KnowledgeBase) => void): Promise<void> {
		try {
			tell(await open());
		} catch (thrown) {
			connection.console.error(messageOf(thrown));
		}
	}
}
