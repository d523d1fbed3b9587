import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	NotificationType,
} from "vscode-jsonrpc/node";
import type { Pipe } from "../../protocol/pipe.ts";
import {
	type FilesChanged,
	filesChanged,
	type SecretQuery,
	secret,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import type { Secrets } from "../arguments/secrets.ts";

/** As the worker logs, in LSP. */
const logMessage = new NotificationType<{ readonly message: string }>("window/logMessage");

/** How long the worker may take to stop. */
const STOP_MS = 5_000;

/** The background process. The first request starts it, and the first one after a crash starts it again. */
export interface WorkerProcess {
	readonly pipe: Pipe;
	/** Lost if it is not running: its next start compares all files anyway. */
	filesChanged(changed: FilesChanged): void;
	/** Ends it, and keeps the work done so far. */
	stop(): Promise<void>;
}

export interface WorkerDeps {
	/** Absolute path of the worker's program. */
	readonly program: string;
	/** Asked at each start, because the client introduces itself late. */
	options(): WorkerOptions;
	readonly secrets: Secrets;
	/** Called when it stopped unasked. */
	onStopped(): void;
	/** What it has to say to a person. */
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

/** If native code crashes, only the worker dies, not the connection to the client. */
export function createWorkerProcess(deps: WorkerDeps): WorkerProcess {
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
	// Each request that waits for it tells its caller.
	ready.catch(() => undefined);
	return { child, connection, pipe: connection, ready };
}

async function stop({ child, connection, ready }: Running): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const exited = once(child, "exit");
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
