import type { CancellationToken, NotificationType } from "vscode-jsonrpc";
import type { Connection } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { type Recorder, timed } from "../base/recorder.ts";
import { inTrace, readTraceparent } from "../base/traceContext.ts";
import type { AgentFiles } from "../core/agent/agentDefinition.ts";
import { signalOf } from "../protocol/cancellation.ts";
import { toResponse } from "../protocol/failure.ts";
import { addressesOf, type CallParams, callPort, type Ports, requestName } from "../protocol/ports.ts";
import { progressOfCall } from "../protocol/portsClient.ts";
import * as protocol from "../protocol/worker.ts";
import type { SessionStore } from "../sessions/openSessions.ts";
import type { WatchedAgentFiles } from "./agents/agentFiles.ts";
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

/** Answers what is asked of the knowledge; the first question opens it. */
export function serve(
	served: Served,
	{
		open,
		agents,
	}: { readonly open: () => Promise<KnowledgeBase>; readonly agents: Promise<WatchedAgentFiles> },
): void {
	const { connection } = served;
	const hear = <Params>(
		{ method }: NotificationType<Params>,
		tell: (
			told: Pick<KnowledgeBase & WatchedAgentFiles, "setFolders" | "filesChanged">,
			params: Params,
		) => void,
	) =>
		connection.onNotification(method, async (params: Params) => {
			try {
				tell(await agents, params);
				tell(await open(), params);
			} catch (thrown) {
				connection.console.error(messageOf(thrown));
			}
		});
	servePorts(served, ["knowledge", "graph", "things", "catalog", "descriptions"], async () => {
		const base = await open();
		return { ...base, knowledge: base };
	});
	hear(protocol.foldersChanged, (told, folders) => told.setFolders(folders));
	hear(protocol.filesChanged, (told, { uris }) => told.filesChanged(uris));
}

/** Answers what is asked of sessions and memory: also where there is no knowledge base, or a broken one. */
export function serveSessions(served: Served, open: () => Promise<SessionStore>): void {
	servePorts(served, ["sessions", "memory"], open);
}

/** Answers what is asked of agents: that needs no index. */
export function serveAgents(served: Served, agents: Promise<AgentFiles>): void {
	servePorts(served, ["agents"], async () => ({ agents: await agents }));
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
					inTrace(asking, async () => callPort(await open(), address, [...taken, cancellation.signal])),
				);
			} catch (thrown) {
				throw toResponse(thrown, cancellation.signal);
			}
		});
	}
}
