import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { citationsIn } from "../../src/core/knowledge/citation.ts";
import type { Descriptor } from "../../src/core/knowledge/descriptor.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { assertNone } from "../support/assertNone.ts";
import { MODEL_FOLDER, makeWorkspace, never, startWorker, unheard } from "../worker/workspace.ts";

interface Question {
	readonly question: string;
	/** Line ranges that contain a part of the answer: `people.html:20-22`. */
	readonly lines: readonly string[];
}

const SAMPLE = resolve("media/sample");
const questions: readonly Question[] = read("questions.json");
const descriptions: Readonly<Record<string, Descriptor>> = read("descriptions.json");
const otherWords: readonly { readonly question: string; readonly path: string }[] = read("otherWords.json");

/** Line ranges that a search for the question cannot find, only following links. */
const FAR = ["data/equipment.ttl:54-57", "index.html:56"];

async function openSample(t: TestContext) {
	const { dataFolder } = await makeWorkspace(t);
	const folders = [{ uri: pathToFileURL(SAMPLE).href, name: "sample" }];
	const worker = await startWorker(t, { dataFolder, modelFolder: MODEL_FOLDER, folders });
	const report = await worker.knowledge.index({ rebuild: false }, unheard, never);
	assert.equal(report.failed + report.skipped, 0);
	const hitsFor = async (query: string, limit: number) =>
		(await worker.knowledge.search({ query, limit, channel: "chat" }, never)).hits;
	return { ...worker, hitsFor };
}

test("eight passages contain the answer to every question about the sample", async (t) => {
	const { hitsFor } = await openSample(t);
	const missed: string[] = [];
	for (const { question, lines } of questions) {
		const hits = await hitsFor(question, 8);
		const found = lines.filter((place) => hits.some((hit) => holds(hit, place)));
		assert.ok(found.length > 0, `${question} is not answered by ${hits.map(({ path }) => path)}`);
		missed.push(...lines.filter((place) => !found.includes(place)));
	}
	assertNone(missed.filter((place) => !FAR.includes(place)));
});

function holds({ path, lines }: Hit, place: string): boolean {
	const [wanted] = citationsIn(`[${place}]`);
	if (wanted?.citation.path !== path) return false;
	return lines.start <= wanted.citation.lines.end && lines.end >= wanted.citation.lines.start;
}

test("with descriptions, more documents are found first by questions in other words than the document's", async (t) => {
	const { connection, hitsFor } = await openSample(t);
	const inFront = async () => {
		let found = 0;
		for (const { question, path } of otherWords) {
			const paths = (await hitsFor(question, 20)).map((hit) => hit.path);
			if ([...new Set(paths)].slice(0, 3).includes(path)) found++;
		}
		return found;
	};
	const before = await inFront();
	const client = createPortsClient(connection).descriptions;
	for (const [path, descriptor] of Object.entries(descriptions)) {
		const content = readFileSync(join(SAMPLE, path));
		await client.describe(createHash("sha256").update(content).digest("hex"), descriptor, never);
	}
	assert.equal((await client.undescribed(1, never)).total, 0);
	const after = await inFront();
	assert.ok(after > before, `${before} → ${after} of ${otherWords.length}`);
});

function read(name: string) {
	return JSON.parse(readFileSync(join("test/sample", name), "utf8"));
}
