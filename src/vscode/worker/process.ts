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
import { createGate } from "../../base/jobs/gate.ts";
import { type InnerSpan, type Recorder, timed } from "../../base/traces/recorder.ts";
import { inTrace } from "../../base/traces/traceContext.ts";
import type { SessionChange } from "../../core/session/session.ts";
import type { Pipe } from "../../protocol/portsClient.ts";
import {
	indexChanged,
	type SecretQuery,
	secret,
	sessionsChanged,
	spansEnded,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import { readSecret } from "../secrets.ts";

/** The background process. It is started by the first request and started again after a crash. */
export type WorkerProcess = ReturnType<typeof createWorkerProcess>;

export interface WorkerDeps {
	readonly log: vscode.LogOutputChannel;
	/** Hears how long each request took and how it ended: a worker that dies takes what it knows along. */
	readonly recorder: Recorder;
	/** Absolute path of the worker's bundle. */
	readonly module: string;
	/** Asked again at each start: folders come and go. */
	options(): WorkerOptions;
	/** Called before a start: whose sessions they are takes a moment to learn. */
	identify(): Promise<unknown>;
	readonly secrets: vscode.SecretStorage;
	/** Called when what it knew of the files may be old: it stopped unasked. */
	onStale(): void;
	onSpans(spans: readonly InnerSpan[]): void;
	onIndexChange(): void;
	onSessionsChange(changes: readonly SessionChange[]): void;
}

/** Crashes within this time count together. */
const CRASH_WINDOW_MS = 180_000;
const MAX_CRASHES = 5;

/** How long a restart waits for answers. Reading a big folder takes longer, and continues after the restart. */
const ANSWERS_MS = 5000;

export function createWorkerProcess(deps: WorkerDeps) {
	const client = createClient(deps);
	hear(client, deps);
	// Later messages of the process belong to no turn, not even to the one that started it.
	const start = () => inTrace(undefined, () => client.start());
	const ready = async () => client.state !== State.Running && deps.identify().then(start);
	const gate = createGate(ANSWERS_MS);
	return {
		pipe: {
			sendRequest: (type, params, token) =>
				gate.pass(async () => {
					await ready();
					// The client's overload for types cannot see through our type parameters; the pipe itself is typed.
					return timed(deps.recorder, { namespace: "worker", event: `ask ${type.method}` }, () =>
						client.sendRequest(type.method, params, token),
					);
				}),
			onProgress: (type, token, handler) => client.onProgress(type, token, handler),
		} satisfies Pipe,
		/** Whether it runs now; otherwise a request starts it. */
		isRunning: () => client.state === State.Running,
		/** Tells the worker something; lost if it is not running, which then learns it from its options. */
		notify: async <Params>(type: NotificationType<Params>, params: Params) => {
			if (client.state === State.Running) await client.sendNotification(type.method, params);
		},
		/** Restarts it, if it runs, and resolves to whether it did. It first answers for a short time; later requests go to the new one. */
		restart: () =>
			gate.exchange(async () => {
				if (client.state !== State.Running && client.state !== State.Starting) return false;
				deps.onStale();
				await deps.identify();
				// A process that is just starting still has the former options.
				await start();
				await client.restart();
				return true;
			}),
		dispose: () => void client.stop(),
	};
}

function createClient(deps: WorkerDeps): LanguageClient {
	const mayRestart = createCrashLimit();
	const options = { env: WORKER_ENVIRONMENT, execArgv: WORKER_FLAGS };
	const run = { module: deps.module, transport: TransportKind.ipc, options };
	return new LanguageClient(
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
				closed: () => {
					deps.onStale();
					const restart = mayRestart();
					deps.log.warn(restart ? "The worker stopped; it is started again." : TOO_MANY_CRASHES);
					return { action: restart ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
				},
			},
		},
	);
}

function hear(client: LanguageClient, deps: WorkerDeps): void {
	client.onNotification(indexChanged.method, deps.onIndexChange);
	client.onNotification(spansEnded.method, ({ spans }) => deps.onSpans(spans));
	client.onNotification(sessionsChanged.method, ({ changes }) => deps.onSessionsChange(changes));
	client.onRequest(secret.method, (query: SecretQuery) => readSecret(deps.secrets, query));
}

/** Notes each crash, and returns whether there were few enough recently. */
function createCrashLimit(): () => boolean {
	const crashes: number[] = [];
	return () => {
		const now = Date.now();
		crashes.push(now);
		return crashes.filter((time) => now - time < CRASH_WINDOW_MS).length <= MAX_CRASHES;
	};
}

const TOO_MANY_CRASHES = vscode.l10n.t(
	"The background process stopped too often. It is started again by the next question. If this continues, run “Copilot-LD: Rebuild Index”.",
);
