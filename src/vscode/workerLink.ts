import * as vscode from "vscode";
import type { WorkerOptions } from "../protocol/worker.ts";
import { knowledgeFolders } from "./folders.ts";
import { indexFolder } from "./indexFolder.ts";
import { once } from "./once.ts";
import { excludedGlobs, graphEndpoint } from "./settings.ts";
import type { WorkerConnection } from "./workerConnection.ts";

/** What the worker answers. The first question loads the connection and starts the process. */
export interface WorkerLink extends WorkerConnection {
	/** Fires when the index changed. */
	readonly onDidChangeIndex: vscode.Event<void>;
}

interface WorkerLinkDeps {
	readonly log: vscode.LogOutputChannel;
	/** Called when what the worker knew of the files may be old. */
	onStale(): void;
}

export function createWorkerLink(context: vscode.ExtensionContext, deps: WorkerLinkDeps): WorkerLink {
	const changed = new vscode.EventEmitter<void>();
	const connection = once(async () => {
		const { connectWorker } = await import("./workerConnection.ts");
		return connectWorker({
			...deps,
			module: context.asAbsolutePath("dist/worker.cjs"),
			options: () => optionsOf(context),
			onIndexChange: () => changed.fire(),
		});
	});
	return {
		...lazily(connection.get),
		onDidChangeIndex: changed.event,
		dispose: () => {
			changed.dispose();
			void connection.peek()?.then((opened) => opened.dispose());
		},
	};
}

/** The questions of a connection, which is opened by the first of them. */
function lazily(open: () => Promise<WorkerConnection>): Omit<WorkerConnection, "dispose"> {
	const knowledge = async () => (await open()).knowledge;
	const graph = async () => (await open()).graph;
	const catalog = async () => (await open()).catalog;
	return {
		knowledge: {
			search: async (query, signal) => (await knowledge()).search(query, signal),
			read: async (query, signal) => (await knowledge()).read(query, signal),
			index: async (options, onProgress, signal) => (await knowledge()).index(options, onProgress, signal),
			status: async (signal) => (await knowledge()).status(signal),
		},
		graph: {
			query: async (query, signal) => (await graph()).query(query, signal),
			check: async (sparql, signal, door) => (await graph()).check(sparql, signal, door),
			ontology: async (query, signal) => (await graph()).ontology(query, signal),
		},
		catalog: {
			browse: async (uri, signal) => (await catalog()).browse(uri, signal),
			resources: async (uri, signal) => (await catalog()).resources(uri, signal),
			explain: async (uri, signal) => (await catalog()).explain(uri, signal),
			problems: async (signal) => (await catalog()).problems(signal),
			reindex: async (uris, signal) => (await catalog()).reindex(uris, signal),
			pause: async (paused, signal) => (await catalog()).pause(paused, signal),
		},
	};
}

function optionsOf(context: vscode.ExtensionContext): WorkerOptions {
	const endpoint = graphEndpoint();
	return {
		dataFolder: indexFolder(context),
		modelFolder: context.asAbsolutePath("media/model"),
		folders: knowledgeFolders(),
		excludes: excludedGlobs(),
		...(endpoint && { graphEndpoint: endpoint }),
	};
}
