import { join } from "node:path";
import type { CancellationToken, NotificationType } from "vscode-jsonrpc";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { failureOf, messageOf } from "../base/failure.ts";
import { once } from "../base/jobs/lazily.ts";
import { userNames } from "../base/program/knownSecrets.ts";
import { programOf } from "../base/programOf.ts";
import { collectSpans, createRecorder, measured, timed } from "../base/traces/recorder.ts";
import { readTraceparent } from "../base/traces/traceContext.ts";
import { shareStaticEmbedder } from "../embed/builtIn/staticEmbedder.ts";
import { cliHome, personHome } from "../loads/cliHome.ts";
import {
	ADDRESSES,
	type Address,
	type CallParams,
	callPort,
	type Ports,
	requestName,
} from "../protocol/ports.ts";
import { progressOfCall, signalOf } from "../protocol/portsClient.ts";
import * as protocol from "../protocol/worker.ts";
import type { SessionStore } from "../sessions/openSessions.ts";
import type { Visibility } from "../sessions/visibility/visibility.ts";
import { createAgentFiles } from "./agents/agentFiles.ts";
import { createAgentFits } from "./agents/agentFits.ts";
import type { FileFollower } from "./files/sources.ts";
import type { KnowledgeBase } from "./knowledgeBase.ts";
import { requireMachine, TRIAL, tryLancedb } from "./machine.ts";
import { createPluginFiles } from "./plugins/pluginFiles.ts";

// This background process answers the requests of `src/protocol` over the pipe to its parent process.
const connection = createConnection(ProposedFeatures.all);
const { promise: initialized, resolve: initialize } = Promise.withResolvers<protocol.WorkerOptions>();
const recorder = createRecorder();
const knowledge = once(openKnowledge);
const sessions = once(openSessions);
const files = initialized.then(({ folders, modelFolder }) => {
	const homes = { copilot: cliHome(process.env), person: personHome(process.env) };
	const found = createAgentFiles({ folders, homes });
	const agents = { ...found, ...createAgentFits(found, () => shareStaticEmbedder(modelFolder)) };
	return { agents, plugins: createPluginFiles({ folders, home: homes.person }) };
});

const openers: { readonly [Name in keyof Ports]: () => Promise<Ports[Name]> } = {
	knowledge: knowledge.get,
	graph: async () => (await knowledge.get()).graph,
	things: async () => (await knowledge.get()).things,
	catalog: async () => (await knowledge.get()).catalog,
	descriptions: async () => (await knowledge.get()).descriptions,
	publication: async () => (await knowledge.get()).publication,
	indexData: async () => (await knowledge.get()).indexData,
	sessions: async () => (await sessions.get()).sessions,
	memory: async () => (await sessions.get()).memory,
	sessionData: async () => (await sessions.get()).sessionData,
	agents: async () => (await files).agents,
	plugins: async () => (await files).plugins,
};

connection.onInitialize(({ initializationOptions }) => {
	initialize(initializationOptions as protocol.WorkerOptions);
	return { capabilities: {} };
});
connection.onRequest(
	protocol.diagnose.method,
	(): protocol.WorkerDiagnostics => ({
		uptimeMs: Math.round(process.uptime() * 1000),
		residentMb: Math.round(process.memoryUsage.rss() / 1e6),
		entries: recorder.entries(),
		dropped: recorder.dropped(),
	}),
);
hear(protocol.foldersChanged, (follower, folders) => follower.setFolders(folders));
hear(protocol.filesChanged, (follower, { uris }) => follower.filesChanged(uris));
for (const address of ADDRESSES)
	connection.onRequest(requestName(address), (params: CallParams, token: CancellationToken) =>
		answer(address, params, token),
	);
connection.onShutdown(async () => {
	await Promise.all([(await knowledge.peek())?.close(), (await sessions.peek())?.close()]);
});
connection.listen();
if (process.argv.includes(TRIAL))
	tryLancedb().then(
		() => process.exit(0),
		() => process.exit(1),
	);
// The connection library ends this process together with its parent; a closed pipe must also end it.
process.once("disconnect", () => process.exit());

/** Passes notifications about files and folders to agents first, to plugins next and to knowledge last. */
function hear<Params>(
	{ method }: NotificationType<Params>,
	tell: (follower: FileFollower, params: Params) => void,
): void {
	connection.onNotification(method, async (params: Params) => {
		try {
			const { agents, plugins } = await files;
			for (const follower of [agents, plugins]) tell(follower, params);
			tell(await knowledge.get(), params);
		} catch (thrown) {
			connection.console.error(messageOf(thrown));
		}
	});
}

async function answer(address: Address, params: CallParams, token: CancellationToken): Promise<unknown> {
	const { args, progress } = params;
	const request = requestName(address);
	const asking = readTraceparent(params.traceparent);
	using cancellation = signalOf(token);
	const listener = (value: unknown) =>
		void (progress !== undefined && connection.sendProgress(progressOfCall, progress, value));
	const taken = args.map((arg) => (arg === null && progress !== undefined ? listener : arg));
	const open = () => measured<Ports[keyof Ports]>("open", openers[address.port]);
	try {
		const about = { namespace: "worker", event: request, facts: { ...asking } } as const;
		return await timed(recorder, about, () =>
			collectSpans(
				{ asking, title: request },
				async () => callPort(await open(), address.method, [...taken, cancellation.signal]),
				(spans) => void connection.sendNotification(protocol.spansEnded.method, { spans }),
			),
		);
	} catch (thrown) {
		throw protocol.toResponse(thrown, cancellation.signal);
	}
}

async function openKnowledge(): Promise<KnowledgeBase> {
	const options = await initialized;
	await requireMachine(options.dataFolder);
	// Import the module that loads LanceDB only now, because the binary of LanceDB may be missing.
	const { openKnowledgeBase } = await import("./knowledgeBase.ts");
	return openKnowledgeBase({
		...options,
		parserProgram: programOf("parserProgram", "parsing/parserProgram.ts"),
		embeddingProgram: programOf("embeddingProgram", "../embed/transformer/embeddingProgram.ts"),
		sparqlProgram: programOf("sparqlThread", "../graph/sparql/sparqlThread.ts"),
		onChange: () => void connection.sendNotification(protocol.indexChanged, {}),
		secretOf: async (query) => {
			const asking = connection.sendRequest<string | null>(protocol.secret.method, query);
			return (await asking.catch(() => null)) ?? undefined;
		},
		recorder,
		onError: logError,
	});
}

async function openSessions(): Promise<SessionStore> {
	const { dataFolder, sessionsFolder: folder, modelFolder, person } = await initialized;
	const { openSessions: open } = await import("../sessions/openSessions.ts");
	const [name = `user ${process.getuid?.() ?? "without a name"}`] = userNames();
	const system = { source: "system", id: name, label: name };
	// Conversations are always embedded on this machine. Without the model, they are searched by words.
	const embedder = await shareStaticEmbedder(modelFolder).catch((thrown) => void logError(failureOf(thrown)));
	return open({
		folder: folder ?? join(dataFolder, "sessions"),
		// Identified users also keep the sessions that were recorded under the system's user name.
		reader: person ? [person, system] : [system],
		embedder,
		visibility: visibility(),
		onChange: () => void connection.sendNotification(protocol.sessionsChanged, {}),
		onError: logError,
	});
}

/** If the knowledge base cannot be opened, assume that everything is hidden. */
function visibility(): Visibility {
	return {
		rules: async () => {
			const base = await knowledge.get().catch(() => undefined);
			return base?.visibility.rules();
		},
		sees: async (channel, uris) => (await knowledge.get()).visibility.sees(channel, uris),
	};
}

function logError(thrown: unknown): void {
	connection.console.error(messageOf(thrown));
	recorder.note({ namespace: "worker", level: "error", event: "error", text: messageOf(thrown) });
}
