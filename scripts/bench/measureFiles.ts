import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unrecorded } from "../../src/base/traces/recorder.ts";
import type { Knowledge } from "../../src/core/knowledge/knowledge.ts";
import type { WorkerOptions } from "../../src/protocol/worker.ts";
import { openKnowledgeBase } from "../../src/worker/knowledgeBase.ts";
import { root } from "../paths.ts";
import { MODEL_FOLDER } from "./corpus.ts";
import { writeFiles } from "./fileCorpus.ts";
import type { FilesMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { type Latency, latencyOf, timed, timeEach } from "./timing.ts";
import { runWorker, type WorkerRun } from "./workerRun.ts";

const EDITS = 20;
const ROUNDS = 4;

const never = new AbortController().signal;

/** Indexes a folder of files with the shipped worker, and queries it over its pipe. */
async function measureFiles(): Promise<FilesMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	const folder = join(home, "files");
	const { name, files, questions } = await writeFiles(folder);
	const asked = Array.from({ length: ROUNDS }, () => questions).flat();
	const options = optionsOf(home, folder);
	const built = await build(options, asked);
	if (built.indexed !== files) throw new Error(`${built.indexed} of ${files} files are indexed.`);
	const { ms: reopenMs, result: worker } = await timed(() => reopen(options, questions[0] ?? ""));
	const search = await timeEach(asked, (query) => ask(worker.knowledge, query));
	const editMs = await measureEdits(worker, join(folder, "edited.md"));
	await worker.stop();
	const withoutPipe = await measureWithoutPipe(options, asked);
	await rm(home, { recursive: true });
	return { ...built, name, files, search, withoutPipe, reopenMs, editMs };
}

function optionsOf(home: string, folder: string): WorkerOptions {
	return {
		dataFolder: join(home, "data"),
		modelFolder: MODEL_FOLDER,
		folders: [{ uri: pathToFileURL(folder).href, name: "files" }],
	};
}

/** Builds the first index while asking questions. */
async function build(options: WorkerOptions, questions: readonly string[]) {
	const start = performance.now();
	const worker = await runWorker(options);
	let isIndexing = true;
	let firstHitMs: number | undefined;
	const times: number[] = [];
	const asking = (async () => {
		for (let next = 0; isIndexing; next++) {
			const query = questions[next % questions.length] ?? "";
			const search = () => worker.knowledge.search({ query, limit: 10, channel: "chat" }, never);
			const found = await timed(search);
			times.push(found.ms);
			if (found.result.hits.length > 0) firstHitMs ??= performance.now() - start;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	})();
	const { ms, result } = await timed(() =>
		worker.knowledge.index({ rebuild: false }, () => undefined, never),
	);
	isIndexing = false;
	await asking;
	await ask(worker.knowledge, questions[0] ?? "");
	const firstAnswerSeconds = (performance.now() - start) / 1000;
	const { passages } = await worker.knowledge.status(never);
	const peakMb = worker.peakMb();
	await worker.stop();
	return {
		...{ indexed: result.indexed, passages, indexSeconds: ms / 1000, firstAnswerSeconds, peakMb },
		firstHitMs: firstHitMs ?? Number.NaN,
		whileIndexing: latencyOf(times),
	};
}

async function reopen(options: WorkerOptions, question: string): Promise<WorkerRun> {
	const worker = await runWorker(options);
	await ask(worker.knowledge, question);
	return worker;
}

async function ask(knowledge: Knowledge, query: string): Promise<void> {
	const { hits } = await knowledge.search({ query, limit: 10, channel: "chat" }, never);
	if (hits.length === 0) throw new Error(`Nothing was found for "${query}".`);
}

async function measureEdits(worker: WorkerRun, file: string): Promise<Latency> {
	const times: number[] = [];
	for (let edit = 0; edit < EDITS; edit++) {
		const word = `zebrafish${edit}`;
		await writeFile(file, `# Edited\n\nThis file now speaks of ${word} and nothing else.\n`);
		times.push((await timed(() => untilFound(worker, pathToFileURL(file).href, word))).ms);
	}
	if (!(await readFile(file, "utf8")).includes("zebrafish")) throw new Error("The file was not edited.");
	return latencyOf(times);
}

async function untilFound(worker: WorkerRun, uri: string, word: string): Promise<void> {
	await worker.changed(uri);
	for (;;) {
		const { hits } = await worker.knowledge.search({ query: word, limit: 3, channel: "chat" }, never);
		if (hits.some(({ text }) => text.includes(word))) return;
	}
}

async function measureWithoutPipe(options: WorkerOptions, questions: readonly string[]): Promise<Latency> {
	const base = await openKnowledgeBase({
		...options,
		parserProgram: join(root, "src/worker/parsing/parserProgram.ts"),
		embeddingProgram: join(root, "src/embed/transformer/embeddingProgram.ts"),
		sparqlProgram: join(root, "src/graph/sparql/sparqlThread.ts"),
		secretOf: async () => undefined,
		recorder: unrecorded,
		onChange: () => undefined,
		onError: (thrown) => console.error(thrown),
	});
	const latency = await timeEach(questions, (query) => ask(base, query));
	await base.close();
	return latency;
}

await reportToParent(measureFiles());
