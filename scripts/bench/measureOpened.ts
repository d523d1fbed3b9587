import { join } from "node:path";
import { unrecorded } from "../../src/base/traces/recorder.ts";
import { type KnowledgeBase, openKnowledgeBase } from "../../src/worker/knowledgeBase.ts";
import type { KnowledgeBaseOptions } from "../../src/worker/storedIndex.ts";
import { root } from "../paths.ts";
import { CORPUS_FOLDER, createCorpus, MODEL_FOLDER, QUESTIONS } from "./corpus.ts";
import type { OpenedMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { residentMb, timed, timeEach } from "./timing.ts";

const never = new AbortController().signal;

/** Opens an existing index in a new process, and queries it. */
async function measureOpened(dataFolder: string, memoryMb: number): Promise<OpenedMeasurement> {
	const questions = createCorpus().questions(QUESTIONS);
	const { ms: reopenMs, result: base } = await timed(() =>
		openAndAsk({ dataFolder, storage: { memoryMb } }, questions[0] ?? ""),
	);
	const latency = await timeEach(questions, (query) => search(base, query));
	const opened = { reopenMs, ...latency, residentMb: residentMb() };
	await base.close();
	return opened;
}

async function openAndAsk(
	place: Pick<KnowledgeBaseOptions, "dataFolder" | "storage">,
	question: string,
): Promise<KnowledgeBase> {
	const base = await openKnowledgeBase({
		...{ ...place, modelFolder: MODEL_FOLDER, folders: [{ uri: CORPUS_FOLDER, name: "bench" }] },
		parserProgram: join(root, "src/worker/parsing/parserProgram.ts"),
		embeddingProgram: join(root, "src/embed/transformer/embeddingProgram.ts"),
		sparqlProgram: join(root, "src/graph/sparql/sparqlThread.ts"),
		secretOf: async () => undefined,
		recorder: unrecorded,
		onChange: () => undefined,
		onError: (thrown) => console.error(thrown),
	});
	await search(base, question);
	return base;
}

async function search(base: KnowledgeBase, query: string): Promise<void> {
	const { hits } = await base.search({ query, limit: 10, channel: "chat" }, never);
	if (hits.length === 0) throw new Error(`Nothing was found for "${query}".`);
}

await reportToParent(measureOpened(process.argv[2] ?? "", Number(process.argv[3])));
