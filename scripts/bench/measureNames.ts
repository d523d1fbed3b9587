import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createGraph } from "../../src/graph/facts/graph.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import type { Ports } from "../../src/protocol/ports.ts";
import { MODEL_FOLDER } from "./corpus.ts";
import type { NamesMeasurement } from "./measurement.ts";
import { HUB, HUB_FILES, idOf, NAME_FILES, STATEMENTS, textOf, writeNames } from "./nameCorpus.ts";
import { reportToParent } from "./program.ts";
import { latencyOf, timed, timeEach } from "./timing.ts";
import { runWorker, type WorkerRun } from "./workerRun.ts";

const ASKED = 200;
const COMMITS = 20;
const NEIGHBOURS = 300;
const RENAMED = `${HUB}bub`;

const never = new AbortController().signal;
const CHANNEL = { channel: "chat" } as const;

type Things = Ports["things"];

/** Measures the editor's queries about names, over the pipe to the shipped worker. */
async function measureNames(): Promise<NamesMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	const folder = join(home, "files");
	const labels = await writeNames(folder);
	const worker = await runWorker({
		dataFolder: join(home, "data"),
		modelFolder: MODEL_FOLDER,
		folders: [{ uri: pathToFileURL(folder).href, name: "files" }],
	});
	await worker.knowledge.index({ rebuild: false }, () => undefined, never);
	await requireLoaded(worker);
	const { things } = worker;
	const { ms: firstFindMs } = await timed(() => find(things, labels[0] ?? ""));
	const measured = {
		statements: STATEMENTS,
		firstFindMs,
		...(await measureAsking(things, labels)),
		...(await measureCommits(worker, folder, labels)),
		...(await measureRename(things)),
	};
	await worker.stop();
	await rm(home, { recursive: true });
	return measured;
}

async function requireLoaded({ graph, things }: WorkerRun): Promise<void> {
	const sparql = "SELECT (COUNT(*) AS ?count) { ?s ?p ?o }";
	const { answer } = await graph.query({ sparql, ...CHANNEL }, never);
	const count = answer.kind === "rows" ? Number(answer.rows[0]?.["count"]?.value) : 0;
	const pointers = (await things.pointers({ iri: HUB, ...CHANNEL }, never)).length;
	if (count !== STATEMENTS || pointers !== HUB_FILES)
		throw new Error(`${count} of ${STATEMENTS} statements, ${pointers} of ${HUB_FILES} pointers.`);
}

async function find(things: Things, words: string): Promise<void> {
	const found = await things.find({ words, limit: 50, ...CHANNEL }, never);
	if (found.length === 0) throw new Error(`Nothing is called "${words}".`);
}

async function measureAsking(things: Things, labels: readonly string[]) {
	const asked = Array.from({ length: ASKED }, (_, at) => at);
	const typed = asked.map((at) => (labels[at * 97] ?? "").slice(0, 1 + (at % 7)).trim());
	return {
		completion: await timeEach(typed, async (words) => {
			await things.prefixes(CHANNEL, never);
			await find(things, words);
		}),
		hover: await timeEach(asked, async (at) => {
			const view = await things.describe({ iri: idOf(at * 131), ...CHANNEL }, never);
			if (view?.places.length !== 1) throw new Error(`${idOf(at * 131)} is not described once.`);
		}),
		hoverOnClass: await timeEach(asked, (at) =>
			things.describe({ iri: `https://bench.example/v#Class${at % 20}`, ...CHANNEL }, never),
		),
		references: await timeEach(asked, () => things.pointers({ iri: HUB, ...CHANNEL }, never)),
		neighbourhood: await timeEach(asked.slice(0, 50), async (at) => {
			const drawn = await things.neighbours(
				{ iris: [idOf(2 * at + 1)], limit: NEIGHBOURS, ...CHANNEL },
				never,
			);
			if (drawn.things.length !== NEIGHBOURS + 1) throw new Error(`${drawn.things.length} are drawn.`);
		}),
	};
}

/** Measures the first completion after a saved file is in the index. */
async function measureCommits(
	worker: WorkerRun,
	folder: string,
	labels: readonly string[],
): Promise<Pick<NamesMeasurement, "afterCommit" | "afterCommitWork">> {
	const [times, work]: [number[], number[]] = [[], []];
	for (let edit = 0; edit < COMMITS; edit++) {
		const file = HUB_FILES + edit;
		const path = join(folder, String(Math.floor(file / 100)), `${file}.ttl`);
		const word = `zebrafish${edit}`;
		await writeFile(path, textOf(file, labels).replace(/schema:name "/, `schema:name "${word} `));
		await worker.changed(pathToFileURL(path).href);
		for (;;) {
			const { hits } = await worker.knowledge.search({ query: word, limit: 3, ...CHANNEL }, never);
			if (hits.some(({ text }) => text.includes(word))) break;
		}
		const before = worker.workMs();
		times.push((await timed(() => find(worker.things, word))).ms);
		work.push(worker.workMs() - before);
	}
	return { afterCommit: latencyOf(times), afterCommitWork: latencyOf(work) };
}

/** Measures a rename: each file is read again to check that only the name has changed. */
async function measureRename(things: Things) {
	const change = { iri: HUB, to: RENAMED, open: [] };
	const { ms, result } = await timed(() => things.rename({ ...change, ...CHANNEL }, never));
	if (result.files.length !== HUB_FILES) throw new Error(`${result.files.length} files are renamed.`);
	for (const { uri, edits } of result.files) {
		const text = await readFile(fileURLToPath(uri), "utf8");
		const edited = edits
			.toSorted((a, b) => b.start - a.start)
			.reduce((left, { start, end, text: by }) => left.slice(0, start) + by + left.slice(end), text);
		const [before, after] = await Promise.all([statementsIn(uri, text), statementsIn(uri, edited)]);
		const wanted = before.map((statement) => statement.replaceAll(`<${HUB}>`, `<${RENAMED}>`));
		if (wanted.join("\n") !== after.join("\n")) throw new Error(`${uri} says something else.`);
	}
	return { renameMs: ms, renamedFiles: NAME_FILES / 2 };
}

async function statementsIn(uri: string, text: string): Promise<string[]> {
	const outcome = await parseDocument(uri, new TextEncoder().encode(text));
	const graph = createGraph();
	graph.replace(uri, "document" in outcome ? outcome.document.quads : []);
	return [...graph.match({})].map(
		({ subject, predicate, object, lines }) =>
			`${lines.start} <${subject.value}> <${predicate.value}> ${object.termType === "NamedNode" ? `<${object.value}>` : object.value}`,
	);
}

await reportToParent(measureNames());
