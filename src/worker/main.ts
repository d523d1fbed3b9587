import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { messageOf } from "../base/failure.ts";
import { once } from "../base/jobs/lazily.ts";
import { programOf } from "../base/programOf.ts";
import { createRecorder } from "../base/traces/recorder.ts";
import type { SessionChange } from "../core/session/session.ts";
import { shareStaticEmbedder } from "../embed/builtIn/staticEmbedder.ts";
import { cliHome, personHome } from "../loads/cliHome.ts";
import {
	indexChanged,
	type SecretQuery,
	secret,
	sessionsChanged,
	type WorkerOptions,
} from "../protocol/worker.ts";
import type { SessionStore } from "../sessions/openSessions.ts";
import type { Visibility } from "../sessions/visibility/visibility.ts";
import { createAgentFiles } from "./agents/agentFiles.ts";
import { createAgentFits } from "./agents/agentFits.ts";
import type { KnowledgeBase } from "./knowledgeBase.ts";
import { requireMachine, TRIAL, tryLancedb } from "./machine.ts";
import { createPluginFiles } from "./plugins/pluginFiles.ts";
import { followFiles, serve, serveDiagnostics } from "./serve.ts";

// The background process: it answers the requests of `src/protocol` over the pipe to the process that started it.
const connection = createConnection(ProposedFeatures.all);
const { promise: initialized, resolve: initialize } = Promise.withResolvers<WorkerOptions>();
const recorder = createRecorder();
const knowledge = once(openKnowledge);
const sessions = once(openSessions);
const files = initialized.then(({ folders, modelFolder }) => {
	const homes = { copilot: cliHome(process.env), person: personHome(process.env) };
	const found = createAgentFiles({ folders, homes });
	const agents = { ...found, ...createAgentFits(found, () => shareStaticEmbedder(modelFolder)) };
	return { agents, plugins: createPluginFiles({ folders, home: homes.person }) };
});

connection.onInitialize(({ initializationOptions }) => {
	initialize(initializationOptions as WorkerOptions);
	return { capabilities: {} };
});
const served = { connection, recorder };
serveDiagnostics(served);
followFiles(connection, [
	async () => (await files).agents,
	async () => (await files).plugins,
	async () => knowledge.get(),
]);
serve(served, {
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
});
connection.onShutdown(async () => {
	await Promise.all([(await knowledge.peek())?.close(), (await sessions.peek())?.close()]);
});
connection.listen();
if (process.argv.includes(TRIAL))
	tryLancedb().then(
		() => process.exit(0),
		() => process.exit(1),
	);
// The library ends this process with its parent; a pipe that closes before that is as final.
process.once("disconnect", () => process.exit());

async function openKnowledge(): Promise<KnowledgeBase> {
	const options = await initialized;
	await requireMachine(options.dataFolder);
	// What loads LanceDB is loaded only now: its binary may not be there.
	const { openKnowledgeBase } = await import("./knowledgeBase.ts");
	return openKnowledgeBase({
		...options,
		parserProgram: programOf("parserProgram", "parsing/parserProgram.ts"),
		embeddingProgram: programOf("embeddingProgram", "../embed/transformer/embeddingProgram.ts"),
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
	const { openSessionMemory } = await import("./sessionMemory.ts");
	return openSessionMemory(await initialized, { onChange, onError: logError, visibility });
}

/** If the knowledge base cannot be opened, assume that everything is hidden. */
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

/** The process that started the worker keeps the secrets; one without an answer has none. */
async function secretOf(query: SecretQuery): Promise<string | undefined> {
	const answer = await connection.sendRequest<string | null>(secret.method, query).catch(() => null);
	return answer ?? undefined;
}
