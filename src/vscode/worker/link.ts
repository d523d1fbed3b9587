import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { InnerSpan, Recorder } from "../../base/traces/recorder.ts";
import type { Person } from "../../core/session/memory.ts";
import { callPort, createPorts } from "../../protocol/ports.ts";
import type { WorkerOptions } from "../../protocol/worker.ts";
import { knowledgeFolders } from "../folders.ts";
import {
	embeddingSettings,
	excludedGlobs,
	SECTION,
	searchChoice,
	setting,
	storageSettings,
} from "../settings.ts";

/** Requests to the worker. The first request loads the connection and starts the process. */
export type WorkerLink = ReturnType<typeof createWorkerLink>;

export function createWorkerLink(
	context: vscode.ExtensionContext,
	deps: { readonly log: vscode.LogOutputChannel; readonly recorder: Recorder },
) {
	const events = createEvents();
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

export type WorkerEvents = ReturnType<typeof createEvents>;

function createEvents() {
	return {
		indexChanged: new vscode.EventEmitter<void>(),
		sessionsChanged: new vscode.EventEmitter<void>(),
		wentStale: new vscode.EventEmitter<void>(),
		spansEnded: new vscode.EventEmitter<readonly InnerSpan[]>(),
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

const GITHUB = "github";

/** The user's GitHub account, if the user agreed to its use. */
export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(log: vscode.LogOutputChannel) {
	let person: Person | undefined;
	/** Requests no scopes, because the token is not used. */
	const read = async (): Promise<Person | undefined> => {
		if (!setting("sessions.useGitHubAccount")) return undefined;
		try {
			const session = await vscode.authentication.getSession(GITHUB, [], { silent: true });
			return session && { source: GITHUB, id: session.account.id, label: session.account.label };
		} catch (thrown) {
			log.warn(`VS Code does not tell the GitHub account: ${messageOf(thrown)}`);
			return undefined;
		}
	};
	return {
		/** The account at the last `look`; `undefined` if the user has not agreed to its use or not signed in. */
		person: () => person,
		/** Reads the account again, without asking the user. Resolves to whether the account has changed. */
		look: async () => {
			const before = person;
			person = await read();
			return person?.id !== before?.id;
		},
		onDidChange: (listener: () => unknown) =>
			vscode.authentication.onDidChangeSessions(({ provider }) => {
				if (provider.id === GITHUB && setting("sessions.useGitHubAccount")) listener();
			}),
	};
}

export async function agreeToGitHub(): Promise<void> {
	const { account } = await vscode.authentication.getSession(GITHUB, [], { createIfNone: true });
	await vscode.workspace
		.getConfiguration(SECTION)
		.update("sessions.useGitHubAccount", true, vscode.ConfigurationTarget.Global);
	void vscode.window.showInformationMessage(
		vscode.l10n.t(
			"Copilot-LD: new sessions now belong to the GitHub account {0}. To undo this, use the setting copilot-LD.sessions.useGitHubAccount.",
			account.label,
		),
	);
}
