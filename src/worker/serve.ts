import type { CancellationToken, NotificationType } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { collectSpans, measured, type Recorder, timed } from "../base/traces/recorder.ts";
import { readTraceparent } from "../base/traces/traceContext.ts";
import { ADDRESSES, type CallParams, callPort, type Ports, requestName } from "../protocol/ports.ts";
import { progressOfCall, signalOf } from "../protocol/portsClient.ts";
import * as protocol from "../protocol/worker.ts";
import { toResponse } from "../protocol/worker.ts";
import type { FileFollower } from "./files/sources.ts";

export interface Served {
	readonly connection: Connection;
	/** Hears which requests there were, how long they took and how they ended. */
	readonly recorder: Recorder;
}

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

/** Tells each of them, in their order, what happens to files and folders. */
export function followFiles(
	connection: Connection,
	followers: readonly (() => Promise<FileFollower>)[],
): void {
	const hear = <Params>(
		{ method }: NotificationType<Params>,
		tell: (told: FileFollower, params: Params) => void,
	) =>
		connection.onNotification(method, async (params: Params) => {
			try {
				for (const follower of followers) tell(await follower(), params);
			} catch (thrown) {
				connection.console.error(messageOf(thrown));
			}
		});
	hear(protocol.foldersChanged, (told, folders) => told.setFolders(folders));
	hear(protocol.filesChanged, (told, { uris }) => told.filesChanged(uris));
}

/** What opens each port: the first question to it does. */
export type PortOpeners = { readonly [Name in keyof Ports]: () => Promise<Ports[Name]> };

/** The edge of the process: what is thrown behind it goes over the pipe as the protocol says. */
export function serve({ connection, recorder }: Served, openers: PortOpeners): void {
	for (const address of ADDRESSES) {
		const request = requestName(address);
		const open = () => measured<Ports[keyof Ports]>("open", openers[address.port]);
		connection.onRequest(request, async (params: CallParams, token: CancellationToken) => {
			const { args, progress } = params;
			const asking = readTraceparent(params.traceparent);
			using cancellation = signalOf(token);
			const listener = (value: unknown) =>
				void (progress !== undefined && connection.sendProgress(progressOfCall, progress, value));
			const taken = args.map((arg) => (arg === null && progress !== undefined ? listener : arg));
			try {
				const about = { namespace: "worker", event: request, facts: { ...asking } } as const;
				return await timed(recorder, about, () =>
					collectSpans(
						{ asking, title: request },
						async () => callPort(await open(), address.method, [...taken, cancellation.signal]),
						(spans) => void connection.sendNotification(protocol.spansEnded.method, { spans }),
					),
				);
			} catch (thrown) {
				throw toResponse(thrown, cancellation.signal);
			}
		});
	}
}
