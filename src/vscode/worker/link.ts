import * as vscode from "vscode";
import { once } from "../../base/jobs/lazily.ts";
import type { InnerSpan } from "../../base/traces/recorder.ts";
import type { SessionChange } from "../../core/session/session.ts";
import { callPort, createPorts } from "../../protocol/ports.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { knowledgeFolders } from "../folders.ts";
import { createIdentity, type Identity } from "../identity.ts";
import {
	embeddingSettings,
	excludedGlobs,
	graphEndpoint,
	searchChoice,
	setting,
	storageSettings,
} from "../settings.ts";
import { indexFolder, sessionsFolder } from "./indexFolder.ts";
import type { WorkerDeps } from "./process.ts";

/** What the worker answers. The first question loads the connection and starts the process. */
export type WorkerLink = ReturnType<typeof createWorkerLink>;

export function createWorkerLink(
	context: vscode.ExtensionContext,
	deps: Pick<WorkerDeps, "log" | "recorder">,
) {
	const changed = new vscode.EventEmitter<void>();
	const sessionsChanged = new vscode.EventEmitter<readonly SessionChange[]>();
	const wentStale = new vscode.EventEmitter<void>();
	const spansEnded = new vscode.EventEmitter<readonly InnerSpan[]>();
	const identity = createIdentity(deps.log);
	const connection = once(async () => {
		const { connectWorker } = await import("./connection.ts");
		const opened = connectWorker({
			...deps,
			module: context.asAbsolutePath("dist/worker.cjs"),
			options: () => optionsOf(context, identity),
			identify: identity.look,
			onDidChangeIdentity: identity.onDidChange,
			secrets: context.secrets,
			onStale: () => wentStale.fire(),
			onIndexChange: () => changed.fire(),
			onSessionsChange: (changes) => sessionsChanged.fire(changes),
			onSpans: (spans) => spansEnded.fire(spans),
		});
		// What an earlier window found, and what is wrong with its files, is new to this one.
		changed.fire();
		return opened;
	});
	return {
		...createPorts(async ({ port, method }, args) => callPort((await connection.get())[port], method, args)),
		diagnose: async (signal: AbortSignal) => (await connection.peek())?.diagnose(signal),
		/** Fires when the index has changed, and on the first request to it. */
		onDidChangeIndex: changed.event,
		onDidChangeSessions: sessionsChanged.event,
		/** Fires when what the worker knew of the files may be old. */
		onDidGoStale: wentStale.event,
		onDidEndSpans: spansEnded.event,
		dispose: () => {
			vscode.Disposable.from(changed, sessionsChanged, wentStale, spansEnded).dispose();
			void connection.peek()?.then((opened) => opened.dispose());
		},
	};
}

function optionsOf(context: vscode.ExtensionContext, identity: Identity): WorkerOptions {
	const endpoint = graphEndpoint();
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
