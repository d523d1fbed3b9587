import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { folderSize } from "../../src/base/files/file.ts";
import type { WorkerOptions } from "../../src/protocol/worker.ts";
import { MODEL_FOLDER } from "./corpus.ts";
import { writeFiles } from "./fileCorpus.ts";
import type { MemoryMeasurement, MemorySample } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { timed } from "./timing.ts";
import { runWorker, type WorkerRun } from "./workerRun.ts";

const SAMPLE_MS = 100;
const ROUNDS = 8;
/** Long enough to see the memory that a rest frees. */
const REST_MS = 25_000;

const never = new AbortController().signal;

/** Measures memory of worker and parsers from the first index to the second start, and disk usage after the rest. */
async function measureMemory(engine: string): Promise<MemoryMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	const folder = join(home, "files");
	const { questions } = await writeFiles(folder);
	const options: WorkerOptions = {
		dataFolder: join(home, "data"),
		storage: { memoryMb: engine === "memory" ? 1024 : 0 },
		modelFolder: MODEL_FOLDER,
		folders: [{ uri: pathToFileURL(folder).href, name: "files" }],
	};
	const life = createLife();
	let indexMs = 0;
	await life.watch(options, async (worker) => {
		life.begin("first index");
		const index = () => worker.knowledge.index({ rebuild: false }, () => undefined, never);
		indexMs = (await timed(index)).ms;
		await askAll(worker, questions, life);
		life.begin("rest");
		await wait(REST_MS);
	});
	const diskBytes = await folderSize(options.dataFolder);
	await life.watch(options, async (worker) => {
		life.begin("started again");
		await worker.knowledge.index({ rebuild: false }, () => undefined, never);
		await askAll(worker, questions, life);
	});
	const fileBytes = await folderSize(folder);
	await rm(home, { recursive: true });
	return { engine, indexSeconds: indexMs / 1000, diskBytes, fileBytes, ...life.told() };
}

async function askAll(
	worker: WorkerRun,
	questions: readonly string[],
	life: { begin(phase: string): void },
): Promise<void> {
	life.begin("questions");
	for (let round = 0; round < ROUNDS; round++)
		for (const query of questions) {
			const { hits } = await worker.knowledge.search({ query, limit: 10, channel: "chat" }, never);
			if (hits.length === 0) throw new Error(`Nothing was found for "${query}".`);
		}
}

/** Samples consecutive workers on one clock. */
function createLife() {
	const start = performance.now();
	const seconds = () => (performance.now() - start) / 1000;
	const samples: MemorySample[] = [];
	const phases: { name: string; seconds: number }[] = [];
	return {
		begin: (name: string) => void phases.push({ name, seconds: seconds() }),
		watch: async (options: WorkerOptions, live: (worker: WorkerRun) => Promise<void>) => {
			const worker = await runWorker(options);
			const sample = () => samples.push({ seconds: seconds(), ...worker.memory() });
			const timer = setInterval(sample, SAMPLE_MS);
			await live(worker);
			clearInterval(timer);
			await worker.stop();
		},
		told: () => ({ samples, phases }),
	};
}

await reportToParent(measureMemory(process.argv[2] ?? "memory"));
