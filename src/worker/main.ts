import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { once } from "../base/jobs/once.ts";
import { programOf } from "../base/programOf.ts";
import { createRecorder } from "../base/traces/recorder.ts";
import type { SessionChange } from "../core/session/session.ts";
import { openStaticEmbedder } from "../embed/builtIn/staticEmbedder.ts";
import { cliHome, personHome } from "../loads/cliHome.ts";
import { sessionsChanged } from "../protocol/sessions.ts";
import { indexChanged, type SecretQuery, secret, type WorkerOptions } from "../protocol/worker.ts";
import type { SessionStore } from "../sessions/openSessions.ts";
import type { Visibility } from "../sessions/visibility/visibility.ts";
import { createAgentFiles } from "./agents/agentFiles.ts";
import { createLikeness } from "./agents/likeness.ts";
import { type KnowledgeBase, openKnowledgeBase } from "./knowledgeBase.ts";
import { createPluginFiles } from "./plugins/pluginFiles.ts";
import { serve, serveDiagnostics, serveFiles, serveSessions } from "./serve.ts";
import { openSessionMemory } from "./sessionMemory.ts";

// The background process: it answers the requests of `src/protocol` over the pipe to the process that started it.
const connection = createConnection(ProposedFeatures.all);
const { promise: initialized, resolve: initialize } = Promise.withResolvers<WorkerOptions>();
const recorder = createRecorder();
const knowledge = once(openKnowledge);
const sessions = once(openSessions);
const files = initialized.then(({ folders, modelFolder }) => {
	const homes = { copilot: cliHome(process.env), person: personHome(process.env) };
	// A model of its own: agents are chosen without an index, too.
	const likeness = createLikeness(() => openStaticEmbedder(modelFolder));
	const agents = { ...createAgentFiles({ folders, homes }), likeness };
	return { agents, plugins: createPluginFiles({ folders, home: homes.person }) };
});

connection.onInitialize(({ initializationOptions }) => {
	initialize(initializationOptions as WorkerOptions);
	return { capabilities: {} };
});
serveDiagnostics({ connection, recorder });
const watching = files.then(({ agents, plugins }) => [agents, plugins]);
serve({ connection, recorder }, { open: knowledge.get, watching });
serveFiles({ connection, recorder }, files);
serveSessions({ connection, recorder }, sessions.get);
connection.onShutdown(async () => {
	await Promise.all([(await knowledge.peek())?.close(), (await sessions.peek())?.close()]);
});
connection.listen();
// The library ends this process with its parent; a pipe that closes before that is as final.
process.once("disconnect", () => process.exit());

async function openKnowledge(): Promise<KnowledgeBase> {
	return openKnowledgeBase({
		...(await initialized),
		parserProgram: programOf("parserProgram", "parsing/parserProgram.ts"),
		sparqlProgram: programOf("sparqlThread", "../graph/sparql/sparqlThread.ts"),
		onChange: () => void connection.sendNotification(indexChanged, {}),
		secretOf,
		recorder,
		onError: logError,
	});
}

async function openSessions(): Promise<SessionStore> {
	const onChange = (changes: readonly SessionChange[]) =>
		void connection.sendNotification(sessionsChanged, { changes });
	return openSessionMemory(await initialized, { onChange, onError: logError, visibility });
}

/** Of what the knowledge base could not be opened for, nobody can say what is hidden. */
const visibility: Visibility = {
	rules: async () => {
		const base = await knowledge.get().catch(() => undefined);
		return base?.visibility.rules();
	},
	sees: async (door, uris) => (await knowledge.get()).visibility.sees(door, uris),
};

function logError(thrown: unknown): void {
	connection.console.error(messageOf(thrown));
	recorder.note({ namespace: "worker", level: "error", event: "error", text: messageOf(thrown) });
}

/** Who has started the worker keeps the secrets; one who answers no such question has none. */
async function secretOf(query: SecretQuery): Promise<string | undefined> {
	const answer = await connection.sendRequest<string | null>(secret.method, query).catch(() => null);
	return answer ?? undefined;
}
