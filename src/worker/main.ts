import { dirname, extname, join } from "node:path";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { messageOf } from "../core/failure.ts";
import { indexChanged, type SecretQuery, secret, type WorkerOptions } from "../protocol/worker.ts";
import { type KnowledgeBase, openKnowledgeBase } from "./knowledgeBase.ts";
import { serve } from "./serve.ts";

// The background process: it answers the requests of `src/protocol` over the pipe to the process that started it.
const connection = createConnection(ProposedFeatures.all);
const { promise: initialized, resolve: initialize } = Promise.withResolvers<WorkerOptions>();
let opening: Promise<KnowledgeBase> | undefined;

connection.onInitialize(({ initializationOptions }) => {
	initialize(initializationOptions as WorkerOptions);
	return { capabilities: {} };
});
serve(connection, open);
connection.onShutdown(async () => (await opening)?.close());
connection.listen();
// The library ends this process with its parent; a pipe that closes before that is as final.
process.once("disconnect", () => process.exit());

/** The first call opens; one that failed is tried again. */
function open(): Promise<KnowledgeBase> {
	opening ??= openNow().catch((thrown: unknown) => {
		opening = undefined;
		throw thrown;
	});
	return opening;
}

async function openNow(): Promise<KnowledgeBase> {
	const onError = (thrown: unknown) => connection.console.error(messageOf(thrown));
	return openKnowledgeBase({
		...(await initialized),
		parserProgram: programOf("parserProgram", "parsing/parserProgram.ts"),
		sparqlProgram: programOf("sparqlThread", "../store/graph/sparql/sparqlThread.ts"),
		onChange: () => void connection.sendNotification(indexChanged, {}),
		secretOf,
		onError,
	});
}

/** Who has started the worker keeps the secrets; one who answers no such question has none. */
async function secretOf(query: SecretQuery): Promise<string | undefined> {
	const answer = await connection.sendRequest<string | null>(secret.method, query).catch(() => null);
	return answer ?? undefined;
}

/** Absolute path of one of our programs: beside this one where they are bundled, else where its source is. */
function programOf(name: string, source: string): string {
	const here = process.argv[1] ?? "";
	return join(dirname(here), extname(here) === ".ts" ? source : `${name}.cjs`);
}
