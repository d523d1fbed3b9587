import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { once } from "../../base/jobs/lazily.ts";
import type { Recorder } from "../../base/traces/recorder.ts";
import { callPort, createPorts } from "../../protocol/ports.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { knowledgeFolders } from "../folders.ts";
import { createIdentity, type Identity } from "../identity.ts";
import { embeddingSettings, excludedGlobs, searchChoice, setting, storageSettings } from "../settings.ts";
import type { WorkerEvents } from "./connection.ts";

/** Requests to the worker. The first request loads the connection and starts the process. */
export type WorkerLink = ReturnType<typeof createWorkerLink>;

export function createWorkerLink(
	context: vscode.ExtensionContext,
	deps: { readonly log: vscode.LogOutputChannel; readonly recorder: Recorder },
) {
	const events: WorkerEvents = {
		indexChanged: new vscode.EventEmitter(),
		sessionsChanged: new vscode.EventEmitter(),
		wentStale: new vscode.EventEmitter(),
		spansEnded: new vscode.EventEmitter(),
	};
	const identity = createIdentity(deps.log);
	const options = () => optionsOf(context, identity);
	const connection = once(async () => {
		const { connectWorker } = await import("./connection.ts");
		const opened = connectWorker({ ...deps, context, identity, events, options });
		// The index of an earlier window, and the problems in it, are new to this window.
		events.indexChanged.fire();
		return opened;
	});
	return {
		...createPorts(async ({ port, method }, args) => callPort((await connection.get())[port], method, args)),
		diagnose: async (signal: AbortSignal) => (await connection.peek())?.diagnose(signal),
		/** Fires when the index has changed, and on the first request to the worker. */
		onDidChangeIndex: events.indexChanged.event,
		onDidChangeSessions: events.sessionsChanged.event,
		/** Fires when the worker's view of the files may be out of date. */
		onDidGoStale: events.wentStale.event,
		onDidEndSpans: events.spansEnded.event,
		dispose: () => {
			vscode.Disposable.from(...Object.values(events)).dispose();
			void connection.peek()?.then((opened) => opened.dispose());
		},
	};
}

export function sessionsFolder({ globalStorageUri }: vscode.ExtensionContext): string {
	return vscode.Uri.joinPath(globalStorageUri, "sessions").fsPath;
}

export function indexFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
	const { uri = "" } = storageSettings();
	if (isAbsolute(uri)) return uri;
	// A window without a folder has no storage; nothing is indexed there.
	const storage = storageUri ?? vscode.Uri.joinPath(globalStorageUri, "no-folder");
	return vscode.Uri.joinPath(storage, "index").fsPath;
}

function optionsOf(context: vscode.ExtensionContext, identity: Identity): WorkerOptions {
	const endpoint = setting("graph.endpoint");
	const person = identity.person();
	return {
		name: `A window of ${vscode.env.appName}`,
		dataFolder: indexFolder(context),
		sessionsFolder: sessionsFolder(context),
		modelFolder: context.asAbsolutePath("media/model"),
		folders: knowledgeFolders(),
		excludes: excludedGlobs(),
		agentInstructions: setting("index.agentInstructions"),
		embedding: embeddingSettings(),
		storage: storageSettings(),
		search: searchChoice(),
		...(endpoint && { graphEndpoint: endpoint }),
		...(person && { person }),
	};
}
