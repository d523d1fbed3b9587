import { type ChildProcess, fork } from "node:child_process";
import { once as onceTold } from "node:events";
import { watch } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	NotificationType,
} from "vscode-jsonrpc/node";
import { messageOf } from "../../base/failure.ts";
import { isInside, uriOfPath } from "../../base/files/paths.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { AgentFiles } from "../../core/agent/chain.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { IndexPriority, Knowledge } from "../../core/knowledge/knowledge.ts";
import type { PluginFiles } from "../../core/plugin/plugin.ts";
import type { Sessions } from "../../core/session/session.ts";
import { createPortsClient, type Pipe } from "../../protocol/portsClient.ts";
import { createReadiness, tellingWords } from "../../protocol/readiness.ts";
import {
	type FilesChanged,
	filesChanged,
	type SecretQuery,
	secret,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import type { Secrets } from "../arguments/secrets.ts";
import type { ServerOptions } from "../server/server.ts";
import { keepContents } from "./contents.ts";
import { type FolderWatch, type WatchPorts, watchTree } from "./watchTree.ts";

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
	close(): Promise<void>;
}

/** Folders without knowledge in which files change often. */
const UNWATCHED: ReadonlySet<string> = new Set([
	".git",
	".hg",
	".svn",
	"node_modules",
	"bower_components",
	".venv",
	"__pycache__",
	".vscode-test",
]);

interface FolderWatchPorts {
	readonly dataFolder: string;
	/** Hears absolute paths of files and folders that were made, changed or deleted. */
	readonly onChange: (paths: readonly string[]) => void;
	/** Hears why changes are not seen. */
	readonly onError: (message: string) => void;
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

export function openService({
	program,
	options,
	secrets,
	clientName,
	onError,
}: {
	readonly program: string;
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	/** How the client calls itself, once that is known. */
	readonly clientName: () => string | undefined;
	/** Hears of what no caller waits for. */
	readonly onError: (message: string) => void;
}): KnowledgeService {
	const closing = new AbortController();
	const worker = createWorkerProcess({
		program,
		secrets,
		options: () => ({ ...options, name: `The MCP server of ${clientName() ?? "a program"}` }),
		onStopped: () => {
			readiness.forget();
			onError("The worker stopped; the next question starts it again.");
		},
		onMessage: onError,
	});
	const ports = createPortsClient(worker.pipe);
	const { knowledge, graph, things, agents, plugins, sessions } = ports;
	const readiness = createReadiness(knowledge);
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
		knowledge,
		graph,
		things,
		agents,
		plugins,
		sessions,
		prepare: async (report, signal, question = "") => {
			// What changes while the files are compared must be seen as well.
			watch ??= watchFolders(roots, { dataFolder: options.dataFolder, onChange, onError });
			await watch.ready;
			const first = { uris: [], words: tellingWords(question) };
			void compare(first);
			return (await readiness.begin((progress) => progress && report(progress), signal, first)).notices;
		},
		close: async () => {
			closing.abort();
			watch?.close();
			await worker.stop();
		},
	};
}

/** Watches all that is in some folders, given as absolute paths. */
export function watchFolders(roots: readonly string[], ports: FolderWatchPorts): FolderWatch {
	const { dataFolder, onChange, onError } = ports;
	const watches = roots.map((root) => {
		const isWanted = (path: string) =>
			!isInside(path, dataFolder) &&
			!relative(root, path)
				.split(sep)
				.some((name) => UNWATCHED.has(name));
		const onTrouble = (thrown: unknown) => onError(troubleIn(root, thrown));
		// Elsewhere the system watches what is inside a folder by itself.
		const start = process.platform === "linux" ? watchTree : watchRecursively;
		return start(root, { isWanted, onChange, onTrouble });
	});
	return {
		ready: Promise.all(watches.map(({ ready }) => ready)).then(() => undefined),
		close: () => {
			for (const one of watches) one.close();
		},
	};
}

function watchRecursively(root: string, { isWanted, onChange, onTrouble }: WatchPorts): FolderWatch {
	const ready = Promise.resolve();
	try {
		const watcher = watch(root, { recursive: true }, (_event, name) => {
			const path = name === null ? root : join(root, name);
			if (isWanted(path)) onChange([path]);
		});
		watcher.on("error", onTrouble);
		return { ready, close: () => watcher.close() };
	} catch (thrown) {
		onTrouble(thrown);
		return { ready, close: () => undefined };
	}
}

function troubleIn(root: string, thrown: unknown): string {
	return `Changes in ${root} may not be seen before the next start: ${messageOf(thrown)}`;
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
function launch({ program, options, secrets, onMessage }: WorkerDeps): Running {
	const child = fork(program, ["--node-ipc"], {
		env: { ...secrets.others, ...WORKER_ENVIRONMENT },
		execArgv: WORKER_FLAGS,
		stdio: ["ignore", 2, "inherit", "ipc"],
	});
	const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
	connection.onNotification(logMessage, ({ message }) => onMessage(message));
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
