import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createCorpus, MODEL_FOLDER, QUESTIONS } from "./corpus.ts";
import { embeddedDocuments } from "./embedCorpus.ts";
import type { SearchMeasurement } from "./measurement.ts";
import { peers } from "./peers/all.ts";
import type { PeerData, Question } from "./peers/peer.ts";
import { reportToParent } from "./program.ts";
import { residentMb, timed, timeEach } from "./timing.ts";

/** Fills one engine with `size` passages, and searches it. */
async function measurePeer(name: string, size: number): Promise<SearchMeasurement> {
	const peer = peers.find((candidate) => candidate.name === name);
	if (!peer) throw new TypeError(`There is no engine ${name}.`);
	const folder = await mkdtemp(join(tmpdir(), "bench-"));
	const { data, questions } = await makeData(size, folder);
	const before = residentMb();
	const { ms, result: opened } = await timed(() => peer.open(data));
	const count = await opened.count();
	if (count !== size) throw new Error(`${name} holds ${count} of ${size} passages.`);
	const latency = await timeEach(questions, (question) => opened.search(question));
	const measurement = {
		...{ engine: name, by: peer.by, size, ...latency },
		...{ buildSeconds: ms / 1000, residentMb: residentMb() - before },
	};
	await opened.close();
	await rm(folder, { recursive: true });
	return measurement;
}

async function makeData(
	size: number,
	folder: string,
): Promise<{ data: PeerData; questions: readonly Question[] }> {
	const corpus = createCorpus();
	const embedder = await openStaticEmbedder(MODEL_FOLDER);
	const { dimensions } = embedder;
	const texts: string[] = [];
	const vectors = new Float32Array(size * dimensions);
	for await (const batch of embeddedDocuments(corpus, embedder, Math.ceil(size / 10)))
		for (const document of batch) {
			vectors.set(document.vectors, texts.length * dimensions);
			texts.push(...document.passages.map(({ title, text }) => `${title}\n${text}`));
		}
	const questions: Question[] = [];
	for (const text of corpus.questions(QUESTIONS))
		questions.push({ text, vector: await embedder.embed([text]) });
	return { data: { texts, vectors, dimensions, folder }, questions };
}

const [name = "", size = ""] = process.argv.slice(2);
await reportToParent(measurePeer(name, Number(size)));
