import { dirname, extname, join } from "node:path";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { messageOf } from "../core/failure.ts";
import { indexChanged, type WorkerOptions } from "../protocol/worker.ts";
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
		parserProgram: siblingProgram("parserProgram"),
		sparqlProgram: sparqlProgram(),
		onChange: () => void connection.sendNotification(indexChanged, {}),
		onError,
	});
}

/** A program that stands beside this one, in the sources as in the bundle. */
function siblingProgram(name: string): string {
	const program = process.argv[1] ?? "";
	return join(dirname(program), `${name}${extname(program)}`);
}

/** In the sources it stands in another folder than in the bundle. */
function sparqlProgram(): string {
	const program = siblingProgram("sparqlThread");
	return extname(program) === ".ts" ? join(dirname(program), "../store/graph/sparqlThread.ts") : program;
}
