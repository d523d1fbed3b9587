import * as vscode from "vscode";
import { once } from "../../base/once.ts";
import type { Recorder } from "../../base/recorder.ts";
import type { SessionChange } from "../../core/session/session.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { knowledgeFolders } from "../folders.ts";
import { createIdentity, type Identity } from "../identity.ts";
import {
	embeddingSettings,
	excludedGlobs,
	graphEndpoint,
	indexesAgentInstructions,
	searchChoice,
	storageSettings,
} from "../settings.ts";
import type { WorkerConnection } from "./connection.ts";
import { indexFolder } from "./indexFolder.ts";

/** What the worker answers. The first question loads the connection and starts the process. */
export interface WorkerLink extends WorkerConnection {
	/** Fires when the index changed. */
	readonly onDidChangeIndex: vscode.Event<void>;
	/** Fires with what became of sessions that this window has changed. */
	readonly onDidChangeSessions: vscode.Event<readonly SessionChange[]>;
}

interface WorkerLinkDeps {
	readonly log: vscode.LogOutputChannel;
	readonly recorder: Recorder;
	/** Called when what the worker knew of the files may be old. */
	onStale(): void;
}

export function createWorkerLink(context: vscode.ExtensionContext, deps: WorkerLinkDeps): WorkerLink {
	const changed = new vscode.EventEmitter<void>();
	const sessionsChanged = new vscode.EventEmitter<readonly SessionChange[]>();
	const identity = createIdentity(deps.log);
	const connection = once(async () => {
		const { connectWorker } = await import("./connection.ts");
		return connectWorker({
			...deps,
			module: context.asAbsolutePath("dist/worker.cjs"),
			options: () => optionsOf(context, identity),
			identify: identity.look,
			onDidChangeIdentity: identity.onDidChange,
			secrets: context.secrets,
			onIndexChange: () => changed.fire(),
			onSessionsChange: (changes) => sessionsChanged.fire(changes),
		});
	});
	return {
		...lazily(connection.get),
		...lazySessions(connection.get),
		diagnose: async (signal) => (await connection.peek())?.diagnose(signal),
		onDidChangeIndex: changed.event,
		onDidChangeSessions: sessionsChanged.event,
		dispose: () => {
			changed.dispose();
			sessionsChanged.dispose();
			void connection.peek()?.then((opened) => opened.dispose());
		},
	};
}

/** The questions of a connection, which is opened by the first of them. */
function lazily(
	open: () => Promise<WorkerConnection>,
): Pick<WorkerConnection, "knowledge" | "graph" | "catalog" | "descriptions"> {
	const knowledge = async () => (await open()).knowledge;
	const graph = async () => (await open()).graph;
	const catalog = async () => (await open()).catalog;
	const descriptions = async () => (await open()).descriptions;
	return {
		knowledge: {
			search: async (query, signal) => (await knowledge()).search(query, signal),
			read: async (query, signal) => (await knowledge()).read(query, signal),
			index: async (options, onProgress, signal) => (await knowledge()).index(options, onProgress, signal),
			status: async (signal) => (await knowledge()).status(signal),
		},
		graph: {
			query: async (query, signal) => (await graph()).query(query, signal),
			check: async (query, signal) => (await graph()).check(query, signal),
			ontology: async (query, signal) => (await graph()).ontology(query, signal),
		},
		catalog: {
			browse: async (uri, signal) => (await catalog()).browse(uri, signal),
			resources: async (uri, signal) => (await catalog()).resources(uri, signal),
			explain: async (uri, signal) => (await catalog()).explain(uri, signal),
			problems: async (of, signal) => (await catalog()).problems(of, signal),
			reindex: async (uris, signal) => (await catalog()).reindex(uris, signal),
			policies: async (signal) => (await catalog()).policies(signal),
			pause: async (paused, signal) => (await catalog()).pause(paused, signal),
		},
		descriptions: {
			undescribed: async (limit, signal) => (await descriptions()).undescribed(limit, signal),
			describe: async (hash, descriptor, signal) => (await descriptions()).describe(hash, descriptor, signal),
		},
	};
}

function lazySessions(open: () => Promise<WorkerConnection>): Pick<WorkerConnection, "sessions" | "memory"> {
	const sessions = async () => (await open()).sessions;
	const memory = async () => (await open()).memory;
	return {
		sessions: {
			append: async (id, entries, signal) => (await sessions()).append(id, entries, signal),
			list: async (query, signal) => (await sessions()).list(query, signal),
			read: async (id, signal) => (await sessions()).read(id, signal),
			search: async (query, signal) => (await sessions()).search(query, signal),
			fork: async (id, turns, signal) => (await sessions()).fork(id, turns, signal),
			delete: async (id, signal) => (await sessions()).delete(id, signal),
			restore: async (id, signal) => (await sessions()).restore(id, signal),
		},
		memory: {
			remember: async (fact, signal) => (await memory()).remember(fact, signal),
			recall: async (query, signal) => (await memory()).recall(query, signal),
			facts: async (where, signal) => (await memory()).facts(where, signal),
			edit: async (id, text, signal) => (await memory()).edit(id, text, signal),
			forget: async (id, signal) => (await memory()).forget(id, signal),
		},
	};
}

function optionsOf(context: vscode.ExtensionContext, identity: Identity): WorkerOptions {
	const endpoint = graphEndpoint();
	const person = identity.person();
	return {
		name: `A window of ${vscode.env.appName}`,
		dataFolder: indexFolder(context),
		sessionsFolder: vscode.Uri.joinPath(context.globalStorageUri, "sessions").fsPath,
		modelFolder: context.asAbsolutePath("media/model"),
		folders: knowledgeFolders(),
		excludes: excludedGlobs(),
		agentInstructions: indexesAgentInstructions(),
		embedding: embeddingSettings(),
		storage: storageSettings(),
		search: searchChoice(),
		...(endpoint && { graphEndpoint: endpoint }),
		...(person && { person }),
	};
}
