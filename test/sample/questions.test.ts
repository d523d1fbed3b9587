import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { citationsIn } from "../../src/core/knowledge/citation.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { assertNone } from "../support/assertNone.ts";
import { never, startWorker, unheard } from "../worker/workerProcess.ts";
import { makeWorkspace } from "../worker/workspace.ts";

interface Question {
	readonly question: string;
	readonly answer: string;
	/** Every place that holds a part of the answer: `people.html:20-22`. */
	readonly lines: readonly string[];
}

const questions: readonly Question[] = JSON.parse(readFileSync("test/sample/questions.json", "utf8"));

/** Places that lie more than one step from the words of their question: found by following links, not by a search. */
const FAR = ["data/equipment.ttl:54-57", "index.html:56"];

test("eight passages hold the answer to every question about the sample", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const folders = [{ uri: pathToFileURL(resolve("media/sample")).href, name: "sample" }];
	const modelFolder = resolve("media/model");
	const { knowledge } = await startWorker(t, { dataFolder, modelFolder, folders });
	const report = await knowledge.index({ rebuild: false }, unheard, never);
	assert.equal(report.failed + report.skipped, 0);
	const missed: string[] = [];
	for (const { question, lines } of questions) {
		const { hits } = await knowledge.search({ query: question, limit: 8, door: "chat" }, never);
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
