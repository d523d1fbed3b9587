import { join } from "node:path";
import * as vscode from "vscode";
import type { NotificationType } from "vscode-jsonrpc";
import {
	CloseAction,
	ErrorAction,
	LanguageClient,
	RevealOutputChannelOn,
	State,
	TransportKind,
} from "vscode-languageclient/node";
import { messageOf } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { createGate } from "../../base/jobs/gate.ts";
import { type InnerSpan, type Recorder, timed } from "../../base/traces/recorder.ts";
import { inTrace } from "../../base/traces/traceContext.ts";
import { wordList } from "../../base/words/wordList.ts";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import { cliHome, personHome } from "../../loads/cliHome.ts";
import { ask, createPortsClient, type Pipe } from "../../protocol/portsClient.ts";
import {
	diagnose,
	filesChanged,
	foldersChanged,
	indexChanged,
	type SecretQuery,
	secret,
	sessionsChanged,
	spansEnded,
	type WorkerDiagnostics,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import { knowledgeFolders } from "../folders.ts";
import type { Identity } from "../identity.ts";
import { watched } from "../registerEach.ts";
import { isOfWorker, readSecret } from "../secrets.ts";

export interface WorkerEvents {
	readonly indexChanged: vscode.EventEmitter<void>;
	readonly sessionsChanged: vscode.EventEmitter<void>;
	readonly wentStale: vscode.EventEmitter<void>;
	readonly spansEnded: vscode.EventEmitter<readonly InnerSpan[]>;
}

export interface WorkerDeps {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	/** Records the duration and outcome of each request. The worker's own records are lost if it crashes. */
	readonly recorder: Recorder;
	/** Refreshed before each start, because reading the user's account is asynchronous. */
	readonly identity: Identity;
	readonly events: WorkerEvents;
	/** Called at each start, because folders are added and removed. */
	options(): WorkerOptions;
}

/** Connects to the background process. The first request starts the process; a crash restarts the process. */
export function connectWorker(deps: WorkerDeps) {
	const { context, events, identity, log } = deps;
	const worker = createWorkerProcess(deps);
	const ports = createPortsClient(worker.pipe);
	const restart = coalesce(async () => {
		if (await worker.restart()) await ports.knowledge.status(new AbortController().signal);
	});
	// Several settings may change at once: a call joins a restart that has not begun yet.
	const onRestart = () => void restart().catch((thrown) => log.error(messageOf(thrown)));
	const parts = vscode.Disposable.from(
		worker,
		...keepInStep(worker, () => events.wentStale.fire(), onRestart),
		context.secrets.onDidChange(({ key }) => isOfWorker(key) && onRestart()),
		identity.onDidChange(async () => {
			if (await identity.look()) onRestart();
		}),
	);
	return {
		...ports,
		/** Asks a running worker for data about itself; `undefined` if no worker is running. */
		diagnose: async (signal: AbortSignal): Promise<WorkerDiagnostics | undefined> =>
			worker.isRunning() ? ask(worker.pipe, { type: diagnose, params: {} }, signal) : undefined,
		dispose: () => parts.dispose(),
	};
}

const OPTIONS = wordList(`
	copilot-LD.graph copilot-LD.embedding copilot-LD.storage copilot-LD.sessions copilot-LD.index copilot-ld.search
`);

function keepInStep(
	worker: ReturnType<typeof createWorkerProcess>,
	onStale: () => void,
	onRestart: () => void,
): vscode.Disposable[] {
	const refolder = () => {
		onStale();
		void worker.notify(foldersChanged, knowledgeFolders());
	};
	const tell = ({ scheme, fsPath }: vscode.Uri) => {
		if (scheme === "file") void worker.notify(filesChanged, { uris: [uriOfPath(fsPath)] });
	};
	const { env } = process;
	const home = personHome(env);
	const own = [join(cliHome(env), "agents"), join(home, ".claude", "agents"), join(home, PLUGINS_FOLDER)];
	const patterns = ["**/*", ...own.map((folder) => new vscode.RelativePattern(folder, "**/*"))];
	return [
		...patterns.map((pattern) => watched(pattern, tell)),
		vscode.workspace.onDidChangeWorkspaceFolders(refolder),
		vscode.workspace.onDidChangeConfiguration((change) => {
			if (change.affectsConfiguration("copilot-LD.folders")) refolder();
			if (OPTIONS.some((section) => change.affectsConfiguration(section))) onRestart();
		}),
	];
}

/** Maximum number of crashes in three minutes. After that, only the next request starts the worker. */
const MAX_CRASHES = 5;

/** Milliseconds that a restart waits for answers. Indexing a big folder takes longer, and resumes afterwards. */
const ANSWERS_MS = 5000;

function createWorkerProcess(deps: WorkerDeps) {
	const client = createClient(deps);
	const { context, events } = deps;
	client.onNotification(indexChanged.method, () => events.indexChanged.fire());
	client.onNotification(spansEnded.method, ({ spans }) => events.spansEnded.fire(spans));
	client.onNotification(sessionsChanged.method, () => events.sessionsChanged.fire());
	client.onRequest(secret.method, (query: SecretQuery) => readSecret(context.secrets, query));
	// Later messages of the process belong to no turn, not even to the turn that started it.
	const start = () => inTrace(undefined, () => client.start());
	const ready = async () => client.state !== State.Running && deps.identity.look().then(start);
	const gate = createGate(ANSWERS_MS);
	return {
		pipe: {
			sendRequest: (type, params, token) =>
				gate.pass(async () => {
					await ready();
					// Passes the method's name: the client's typed overload does not accept our type parameters.
					return timed(deps.recorder, { namespace: "worker", event: `ask ${type.method}` }, () =>
						client.sendRequest(type.method, params, token),
					);
				}),
			onProgress: (type, token, handler) => client.onProgress(type, token, handler),
		} satisfies Pipe,
		isRunning: () => client.state === State.Running,
		/** Notifies a running worker. A stopped worker gets the information in its options at the next start. */
		notify: async <Params>(type: NotificationType<Params>, params: Params) => {
			if (client.state === State.Running) await client.sendNotification(type.method, params);
		},
		/** Restarts a running worker after a short time for pending answers; resolves to whether it ran. */
		restart: () =>
			gate.exchange(async () => {
				if (client.state !== State.Running && client.state !== State.Starting) return false;
				events.wentStale.fire();
				await deps.identity.look();
				// A process that is just starting still has the old options.
				await start();
				await client.restart();
				return true;
			}),
		dispose: () => void client.stop(),
	};
}

function createClient(deps: WorkerDeps): LanguageClient {
	const options = { env: WORKER_ENVIRONMENT, execArgv: WORKER_FLAGS };
	const module = deps.context.asAbsolutePath("dist/worker.cjs");
	const run = { module, transport: TransportKind.ipc, options };
	const client: LanguageClient = new LanguageClient(
		"copilot-ld.worker",
		"Copilot-LD Worker",
		{ run, debug: run },
		{
			outputChannel: deps.log,
			revealOutputChannelOn: RevealOutputChannelOn.Never,
			initializationOptions: deps.options,
			initializationFailedHandler: (error) => {
				deps.log.error(`The worker did not start: ${error}`);
				return false;
			},
			errorHandler: {
				error: () => ({ action: ErrorAction.Continue, handled: true }),
				closed: async () => {
					deps.events.wentStale.fire();
					const { action } = await limit.closed();
					const isOver = action === CloseAction.DoNotRestart;
					deps.log.warn(isOver ? TOO_MANY_CRASHES : "The worker stopped; it is started again.");
					return { action, handled: true };
				},
			},
		},
	);
	const limit = client.createDefaultErrorHandler(MAX_CRASHES);
	return client;
}

const TOO_MANY_CRASHES = vscode.l10n.t(
	"The background process stopped too often. It is started again by the next question. If this continues, run “Copilot-LD: Rebuild Index”.",
);
