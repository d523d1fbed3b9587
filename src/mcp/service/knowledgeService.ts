import { watch } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../base/failure.ts";
import { uriOfPath } from "../../base/files/uriOfPath.ts";
import type { AgentFiles } from "../../core/agent/agentDefinition.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { IndexPriority, Knowledge } from "../../core/knowledge/knowledge.ts";
import type { PluginFiles } from "../../core/plugin/plugin.ts";
import type { Sessions } from "../../core/session/session.ts";
import { createPortsClient } from "../../protocol/portsClient.ts";
import { createReadiness, tellingWords } from "../../protocol/readiness.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import type { Secrets } from "../arguments/secrets.ts";
import type { ServerOptions } from "../server/server.ts";
import { type FolderWatch, type WatchPorts, watchTree } from "./watchTree.ts";
import { createWorkerProcess } from "./workerProcess.ts";

/** The knowledge of some folders, kept in step with them by a worker of our own. Nothing runs before it is asked for. */
export interface KnowledgeService {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly agents: AgentFiles;
	readonly plugins: PluginFiles;
	readonly sessions: Sessions;
	/** Brings the index in step for a question. */
	readonly prepare: NonNullable<ServerOptions["prepare"]>;
	close(): Promise<void>;
}

/** Folders in which nobody looks for knowledge and much happens. */
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
	/** Absolute path of a folder whose changes do not count. */
	readonly dataFolder: string;
	/** Hears absolute paths of files and folders that were made, changed or deleted. */
	readonly onChange: (paths: readonly string[]) => void;
	/** Hears why changes are not seen. */
	readonly onError: (message: string) => void;
}

export function openService({
	program,
	options,
	secrets,
	clientName,
	onError,
}: {
	/** Absolute path of the worker's program. */
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
	const { knowledge, graph, agents, plugins, sessions } = createPortsClient(worker.pipe);
	const readiness = createReadiness(knowledge);
	/** All who call meanwhile share one run; this call sees to it that it outlives them. */
	const compare = (first: IndexPriority) =>
		readiness
			.ensure(() => undefined, closing.signal, first)
			.catch((thrown) => closing.signal.aborted || onError(messageOf(thrown)));
	const roots = options.folders.map(({ uri }) => fileURLToPath(uri));
	const onChange = (paths: readonly string[]) =>
		worker.filesChanged({ uris: paths.map((path) => uriOfPath(path)) });
	let watch: FolderWatch | undefined;
	return {
		knowledge,
		graph,
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
			path !== dataFolder &&
			!path.startsWith(dataFolder + sep) &&
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
