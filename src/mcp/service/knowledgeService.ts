import { fork } from "node:child_process";
import { once as onceTold } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	NotificationType,
} from "vscode-jsonrpc/node";
import { messageOf } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import { once } from "../../base/jobs/lazily.ts";
import { createListeners } from "../../base/jobs/listeners.ts";
import { pause } from "../../base/jobs/untilAborted.ts";
import { lastSegment } from "../../base/rdf/vocabulary.ts";
import { numeral, plural } from "../../base/text/plural.ts";
import type { InnerSpan } from "../../base/traces/recorder.ts";
import type { IndexPriority, IndexProgress } from "../../core/knowledge/knowledge.ts";
import type { Ports } from "../../protocol/ports.ts";
import { ask, createPortsClient, type Pipe } from "../../protocol/portsClient.ts";
import { createReadiness, type Readiness, tellingWords } from "../../protocol/readiness.ts";
import {
	diagnose,
	filesChanged,
	indexChanged,
	type SecretQuery,
	secret,
	spansEnded,
	type WorkerOptions,
} from "../../protocol/worker.ts";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../protocol/workerStart.ts";
import type { IndexPlace } from "../../tools/knowledge/graphTools.ts";
import { type McpRun, tell } from "../arguments/mcpRun.ts";
import type { ClientName } from "./clientJournal.ts";
import { type FolderWatch, watchFolders } from "./watchTree.ts";

const logMessage = new NotificationType<{ readonly message: string }>("window/logMessage");

const STOP_MS = 5_000;
/** Minimum milliseconds between two reports of changes of the index. */
const CHANGES_MS = 1000;

type Running = ReturnType<typeof launch>;

interface WorkerListener {
	onStopped(): void;
	onIndexChange(): void;
	onSpans(ended: { readonly spans: readonly InnerSpan[] }): void;
}

export type KnowledgeService = ReturnType<typeof openService>;

/** `onSpans` is called with the spans of the worker's work; absent if nothing is traced. */
export function openService(
	run: McpRun,
	clientName: ClientName,
	onSpans: (spans: readonly InnerSpan[]) => void = () => undefined,
) {
	const { options, paths } = run;
	const closing = new AbortController();
	const changes = createListeners();
	const tellChange = coalesce(async () => {
		changes.tell();
		await pause(CHANGES_MS, closing.signal);
	});
	const worker = createWorkerProcess(run, clientName, {
		onStopped: () => {
			readiness.forget();
			tell("The worker stopped; the next question starts it again.");
		},
		onIndexChange: () => void tellChange(),
		onSpans: ({ spans }) => onSpans(spans),
	});
	const ports = createPortsClient(worker.pipe);
	const readiness = createReadiness(ports.knowledge.index);
	const kept = once(() => keepContents(options.dataFolder, ports, closing.signal));
	/** Concurrent callers share one run, which continues if one of them cancels. */
	const compare = async (first: IndexPriority) => {
		try {
			const notices = await readiness.ensure(() => undefined, closing.signal, first);
			if (notices.length === 0 && !options.graphEndpoint) await kept.get();
		} catch (thrown) {
			if (!closing.signal.aborted) tell(messageOf(thrown));
		}
	};
	const onChange = (changed: readonly string[]) =>
		worker.filesChanged({ uris: changed.map((path) => uriOfPath(path)) });
	let watch: FolderWatch | undefined;
	return {
		...ports,
		diagnose: (signal: AbortSignal) => ask(worker.pipe, { type: diagnose, params: {} }, signal),
		index: createIndexPlace(ports, readiness),
		onIndexChange: (listener: () => void) => void changes.watch(listener, closing.signal),
		prepare: async (report: (progress: IndexProgress) => void, signal: AbortSignal, question = "") => {
			// Watch first, so that changes during the comparison are noticed.
			watch ??= watchFolders(paths, { dataFolder: options.dataFolder, onChange, onError: tell });
			await watch.ready;
			const first = { uris: [], words: tellingWords(question) };
			void compare(first);
			return (await readiness.begin((progress) => progress && report(progress), signal, first)).notices;
		},
		/** Like `prepare`, but waits for all files. */
		prepareAll: (signal: AbortSignal) => readiness.ensure(() => undefined, signal),
		close: async () => {
			closing.abort();
			watch?.close();
			await worker.stop();
		},
	};
}

/** Runs the worker as a child process, because native code may crash. Requests restart a stopped worker. */
function createWorkerProcess(run: McpRun, clientName: ClientName, listener: WorkerListener) {
	let running: Running | undefined;
	const start = () => {
		// The client states its name only after this program has started.
		const name = `The MCP server of ${clientName() ?? "a program"}`;
		const started = launch(run, { ...run.options, name }, listener);
		// If the process could not be started, `error` may come without `exit`.
		for (const end of ["exit", "error"])
			started.child.once(end, () => {
				started.connection.dispose();
				if (running !== started) return;
				running = undefined;
				listener.onStopped();
			});
		return started;
	};
	const current = () => {
		running ??= start();
		return running;
	};
	const pipe: Pipe = {
		sendRequest: async (type, params, token) => {
			const { connection, ready } = current();
			await ready;
			const asked: Pipe = connection;
			return asked.sendRequest(type, params, token);
		},
		onProgress: (type, token, onValue) => current().connection.onProgress(type, token, onValue),
	};
	return {
		pipe,
		filesChanged: (changed: { readonly uris: readonly string[] }) => {
			// Without a worker there is nothing to do: a new worker compares all files.
			running?.connection.sendNotification(filesChanged, changed).catch(() => undefined);
		},
		stop: async () => {
			const last = running;
			running = undefined;
			if (last) await stop(last);
		},
	};
}

/** Starts the worker. Its output goes to stderr, because stdout is reserved for the protocol. */
function launch(
	{ programs, secrets }: McpRun,
	options: WorkerOptions,
	{ onIndexChange, onSpans }: WorkerListener,
) {
	const child = fork(programs.worker, ["--node-ipc"], {
		env: { ...secrets.others, ...WORKER_ENVIRONMENT },
		execArgv: WORKER_FLAGS,
		stdio: ["ignore", 2, "inherit", "ipc"],
	});
	const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
	connection.onNotification(logMessage, ({ message }) => tell(message));
	connection.onNotification(indexChanged, onIndexChange);
	connection.onNotification(spansEnded, onSpans);
	connection.onRequest(secret.method, (query: SecretQuery) => secrets.find(query) ?? null);
	connection.listen();
	const ready = connection.sendRequest("initialize", {
		processId: process.pid,
		rootUri: null,
		capabilities: {},
		initializationOptions: options,
	});
	// Each waiting request reports the error to its caller.
	ready.catch(() => undefined);
	return { child, connection, ready };
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
		child.kill("SIGKILL");
	}
	await exited;
	clearTimeout(timer);
}

function createIndexPlace({ knowledge, things }: Ports, readiness: Readiness): IndexPlace {
	return {
		state: async (signal) => {
			const [{ state }, { indexed: documents, unindexed }] = await Promise.all([
				knowledge.status(signal),
				things.documents({ words: "", limit: 0, channel: "mcp" }, signal),
			]);
			return { state, documents, unindexed };
		},
		refresh: async (signal) => {
			readiness.forget();
			return (await readiness.begin(() => undefined, signal)).notices;
		},
	};
}

const FILE = "contents.txt";
const KINDS = 6;
/** Class names are untrusted data of the folder, so only plain ones may appear in the instructions. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u;
const COUNTED = `SELECT ?kind (COUNT(DISTINCT ?thing) AS ?count) WHERE { ?thing a ?kind } GROUP BY ?kind ORDER BY DESC(?count) LIMIT ${KINDS}`;

/** Describes the folders and, if known, the contents of the index after the last indexing. */
export function readContents(dataFolder: string, folders: readonly string[]): string {
	const named = folders.filter((name) => PLAIN.test(name));
	const folder = named.length > 0 ? `Folders: ${named.join(", ")}. ` : "";
	try {
		return folder + readFileSync(join(dataFolder, FILE), "utf8");
	} catch {
		return folder;
	}
}

/** Saves the description for the next start, because clients read it before the first question. */
async function keepContents(dataFolder: string, { things, graph }: Ports, signal: AbortSignal) {
	const [{ indexed, unindexed }, { answer }] = await Promise.all([
		things.documents({ words: "", limit: 0, channel: "mcp" }, signal),
		graph.query({ sparql: COUNTED, channel: "mcp" }, signal),
	]);
	const rows = answer.kind === "rows" ? answer.rows : [];
	const kinds = rows.flatMap(({ kind, count }) => {
		const name = lastSegment(kind?.value ?? "");
		return PLAIN.test(name) ? [`${numeral(Number(count?.value))} ${name}`] : [];
	});
	const files = `${plural(indexed, "document")}, ${plural(unindexed, "file")} not indexed.`;
	const lines = [files, ...(kinds.length > 0 ? [`Things: ${kinds.join(", ")}.`] : [])];
	writeFileSync(join(dataFolder, FILE), lines.join(" "));
}
