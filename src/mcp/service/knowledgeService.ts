import { type ChildProcess, fork } from "node:child_process";
import { once as onceTold } from "node:events";
import { fileURLToPath } from "node:url";
import {
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	NotificationType,
} from "vscode-jsonrpc/node";
import { messageOf } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { InnerSpan } from "../../base/traces/recorder.ts";
import type { AgentFiles } from "../../core/agent/chain.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { IndexPriority, Knowledge } from "../../core/knowledge/knowledge.ts";
import type { PluginFiles } from "../../core/plugin/plugin.ts";
import type { Sessions } from "../../core/session/session.ts";
import { ask, createPortsClient, type Pipe } from "../../protocol/portsClient.ts";
import { createReadiness, tellingWords } from "../../protocol/readiness.ts";
import {
	diagnose,
	type FilesChanged,
	filesChanged,
	indexChanged,
	type SecretQuery,
	secret,
	spansEnded,
	type WorkerDiagnostics,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import type { IndexPlace } from "../../tools/knowledge/describeOntology.ts";
import type { Secrets } from "../arguments/secrets.ts";
import type { ServerOptions } from "../server/server.ts";
import { keepContents } from "./contents.ts";
import { createChanges, createIndexPlace } from "./indexPlace.ts";
import type { Traces } from "./traces.ts";
import { type FolderWatch, watchFolders } from "./watchTree.ts";

/** The knowledge of some folders, kept in step with them by our own worker, which starts with the first request. */
export interface KnowledgeService {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly things: Things;
	readonly agents: AgentFiles;
	readonly plugins: PluginFiles;
	readonly sessions: Sessions;
	/** Brings the index in step for a question. */
	readonly prepare: NonNullable<ServerOptions["prepare"]>;
	/** The same for who wants all files, however long they take. */
	prepareAll(signal: AbortSignal): Promise<readonly string[]>;
	readonly index: IndexPlace;
	diagnose(signal: AbortSignal): Promise<WorkerDiagnostics>;
	/** Hears of changes of the index, at most once a second. */
	onIndexChange(tell: () => void): void;
	close(): Promise<void>;
}

const logMessage = new NotificationType<{ readonly message: string }>("window/logMessage");

/** How long the worker may take to stop. */
const STOP_MS = 5_000;

/** The background process. The first request starts it, and the first one after a crash starts it again. */
interface WorkerProcess {
	readonly pipe: Pipe;
	/** Lost if it is not running: its next start compares all files anyway. */
	filesChanged(changed: FilesChanged): void;
	/** Ends it, and keeps the work done so far. */
	stop(): Promise<void>;
}

interface WorkerDeps {
	readonly program: string;
	/** Asked at each start, because the client introduces itself late. */
	options(): WorkerOptions;
	readonly secrets: Secrets;
	/** Called when it stopped unasked. */
	onStopped(): void;
	onIndexChange(): void;
	onSpans(ended: { readonly spans: readonly InnerSpan[] }): void;
	onMessage(message: string): void;
}

interface Running {
	readonly child: ChildProcess;
	readonly connection: MessageConnection;
	/** The part of the connection that questions need. */
	readonly pipe: Pipe;
	/** Resolves when it answers requests. */
	readonly ready: Promise<unknown>;
}

interface ServiceOptions {
	readonly program: string;
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	/** How the client calls itself, once that is known. */
	readonly clientName: () => string | undefined;
	/** Hears of what no caller waits for. */
	readonly onError: (message: string) => void;
	readonly traces?: Traces | undefined;
}

export function openService({
	program,
	options,
	secrets,
	clientName,
	onError,
	traces,
}: ServiceOptions): KnowledgeService {
	const closing = new AbortController();
	const changes = createChanges(closing.signal);
	const worker = createWorkerProcess({
		program,
		secrets,
		options: () => ({ ...options, name: `The MCP server of ${clientName() ?? "a program"}` }),
		onStopped: () => {
			readiness.forget();
			onError("The worker stopped; the next question starts it again.");
		},
		onIndexChange: () => void changes.tell(),
		onSpans: ({ spans }) => traces?.inner(spans),
		onMessage: onError,
	});
	const ports = createPortsClient(worker.pipe);
	const readiness = createReadiness(ports.knowledge.index);
	const kept = once(() => keepContents(options.dataFolder, ports, closing.signal));
	/** Concurrent callers share one run, which does not end with one of them. */
	const compare = async (first: IndexPriority) => {
		try {
			const notices = await readiness.ensure(() => undefined, closing.signal, first);
			if (notices.length === 0 && !options.graphEndpoint) await kept.get();
		} catch (thrown) {
			if (!closing.signal.aborted) onError(messageOf(thrown));
		}
	};
	const roots = options.folders.map(({ uri }) => fileURLToPath(uri));
	const onChange = (paths: readonly string[]) =>
		worker.filesChanged({ uris: paths.map((path) => uriOfPath(path)) });
	let watch: FolderWatch | undefined;
	return {
		...ports,
		diagnose: (signal) => ask(worker.pipe, { type: diagnose, params: {} }, signal),
		index: createIndexPlace(ports, readiness),
		onIndexChange: changes.onChange,
		prepare: async (report, signal, question = "") => {
			// What changes while the files are compared must be seen as well.
			watch ??= watchFolders(roots, { dataFolder: options.dataFolder, onChange, onError });
			await watch.ready;
			const first = { uris: [], words: tellingWords(question) };
			void compare(first);
			return (await readiness.begin((progress) => progress && report(progress), signal, first)).notices;
		},
		prepareAll: (signal) => readiness.ensure(() => undefined, signal),
		close: async () => {
			closing.abort();
			watch?.close();
			await worker.stop();
		},
	};
}

/** If native code crashes, only the worker dies, not the connection to the client. */
function createWorkerProcess(deps: WorkerDeps): WorkerProcess {
	let running: Running | undefined;
	const start = () => {
		const started = launch(deps);
		// It may never have started.
		for (const end of ["exit", "error"])
			started.child.once(end, () => {
				started.connection.dispose();
				if (running !== started) return;
				running = undefined;
				deps.onStopped();
			});
		return started;
	};
	const current = () => {
		running ??= start();
		return running;
	};
	return {
		pipe: {
			sendRequest: async (type, params, token) => {
				const { pipe, ready } = current();
				await ready;
				return pipe.sendRequest(type, params, token);
			},
			onProgress: (type, token, listener) => current().pipe.onProgress(type, token, listener),
		},
		filesChanged: (changed) => {
			// The next worker finds what could not be sent.
			running?.connection.sendNotification(filesChanged, changed).catch(() => undefined);
		},
		stop: async () => {
			const last = running;
			running = undefined;
			if (last) await stop(last);
		},
	};
}

/** Its output must not mix with the messages on our stdout. */
function launch({ program, options, secrets, onMessage, onIndexChange, onSpans }: WorkerDeps): Running {
	const child = fork(program, ["--node-ipc"], {
		env: { ...secrets.others, ...WORKER_ENVIRONMENT },
		execArgv: WORKER_FLAGS,
		stdio: ["ignore", 2, "inherit", "ipc"],
	});
	const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
	connection.onNotification(logMessage, ({ message }) => onMessage(message));
	connection.onNotification(indexChanged, onIndexChange);
	connection.onNotification(spansEnded, onSpans);
	connection.onRequest(secret.method, (query: SecretQuery) => secrets.find(query) ?? null);
	connection.listen();
	const ready = connection.sendRequest("initialize", {
		processId: process.pid,
		rootUri: null,
		capabilities: {},
		initializationOptions: options(),
	});
	// Each waiting request reports the error to its caller.
	ready.catch(() => undefined);
	return { child, connection, pipe: connection, ready };
}

async function stop({ child, connection, ready }: Running): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = onceTold(child, "exit");
	const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
	try {
		await ready;
		await connection.sendRequest("shutdown");
		await connection.sendNotification("exit");
	} catch {
		// It could not be asked.
		child.kill("SIGKILL");
	}
	await exited;
	clearTimeout(timer);
}
