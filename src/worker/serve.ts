import type { CancellationToken, NotificationType } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { collectSpans, measured } from "../base/traces/innerSpans.ts";
import { type Recorder, timed } from "../base/traces/recorder.ts";
import { readTraceparent } from "../base/traces/traceContext.ts";
import { signalOf } from "../protocol/cancellation.ts";
import { toResponse } from "../protocol/failure.ts";
import { addressesOf, type CallParams, callPort, type Ports, requestName } from "../protocol/ports.ts";
import { progressOfCall } from "../protocol/portsClient.ts";
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

type FileFollower = Pick<KnowledgeBase, "setFolders" | "filesChanged">;

/** Answers what is asked of the knowledge; the first question opens it. */
export function serve(
	served: Served,
	{
		open,
		watching,
	}: {
		readonly open: () => Promise<KnowledgeBase>;
		/** What follows the files without an index. */
		readonly watching: Promise<readonly FileFollower[]>;
	},
): void {
	const { connection } = served;
	const hear = <Params>(
		{ method }: NotificationType<Params>,
		tell: (told: FileFollower, params: Params) => void,
	) =>
		connection.onNotification(method, async (params: Params) => {
			try {
				for (const follower of await watching) tell(follower, params);
				tell(await open(), params);
			} catch (thrown) {
				connection.console.error(messageOf(thrown));
			}
		});
	const names = [
		"knowledge",
		"graph",
		"things",
		"catalog",
		"descriptions",
		"publication",
		"indexData",
	] as const;
	servePorts(served, names, async () => {
		const base = await open();
		return { ...base, knowledge: base };
	});
	hear(protocol.foldersChanged, (told, folders) => told.setFolders(folders));
	hear(protocol.filesChanged, (told, { uris }) => told.filesChanged(uris));
}

/** Answers what is asked of sessions and memory: also if there is no knowledge base, or a broken one. */
export function serveSessions(served: Served, open: () => Promise<SessionStore>): void {
	servePorts(served, ["sessions", "memory", "sessionData"], open);
}

/** Answers what is asked of agents and plugins: that needs no index. */
export function serveFiles(served: Served, files: Promise<Pick<Ports, "agents" | "plugins">>): void {
	servePorts(served, ["agents", "plugins"], () => files);
}

/** The edge of the process: what is thrown behind it goes over the pipe as the protocol says. */
function servePorts<Name extends keyof Ports>(
	{ connection, recorder }: Served,
	names: readonly Name[],
	open: () => Promise<Pick<Ports, Name>>,
): void {
	for (const address of addressesOf(names)) {
		const method = requestName(address);
		connection.onRequest(method, async (params: CallParams, token: CancellationToken) => {
			const { args, progress } = params;
			const asking = readTraceparent(params.traceparent);
			using cancellation = signalOf(token);
			const listener = (value: unknown) =>
				void (progress !== undefined && connection.sendProgress(progressOfCall, progress, value));
			const taken = args.map((arg) => (arg === null && progress !== undefined ? listener : arg));
			try {
				const about = { namespace: "worker", event: method, facts: { ...asking } } as const;
				return await timed(recorder, about, () =>
					collectSpans(
						{ asking, title: method },
						async () => callPort(await measured("open", open), address, [...taken, cancellation.signal]),
						(spans) => void connection.sendNotification(protocol.spansEnded.method, { spans }),
					),
				);
			} catch (thrown) {
				throw toResponse(thrown, cancellation.signal);
			}
		});
	}
}
