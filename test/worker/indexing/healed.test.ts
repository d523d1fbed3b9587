import assert from "node:assert/strict";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type { IndexProgress } from "../../../src/core/knowledge/knowledge.ts";
import { KILLS } from "../../support/kills.ts";
import { createDice } from "../../support/random.ts";
import { never, startIn, type WorkerProcess } from "../workerProcess.ts";
import { makeWorkspace, type Workspace } from "../workspace.ts";
import { editAtRandom } from "./randomEdits.ts";

/** Edits between two kills: some documents come, some change, some go. */
const EDITS = 25;

const QUERIES = [
	...["lamp", "oil storm", "keeper of the harbour", "fog bell", "rope tide signal", "note 2", "part 3"],
	...["fog signals", "When are the fog horns tested?", "Who is the attendant of Gannet Rock Light?"],
	...["How many lights are there?", "Skerra Head", "siren switched off", "inner lamp", "about storm again"],
	...['"fog signal"', "timetable of the boat", "Merrow Isles", "export function", "lighthouse keeper salary"],
	...["height above sea level", "father of the attendant", "list all lights", "vocabulary", "bell"],
];

function start(t: TestContext, workspace: Workspace, name: string) {
	return startIn(t, workspace, { dataFolder: `${workspace.dataFolder}/${name}` });
}

async function answersOf({ knowledge }: WorkerProcess) {
	const answers = [];
	for (const query of QUERIES)
		for (const limit of [5, 40]) {
			const found = await knowledge.search({ query, limit, door: "chat" }, never);
			const { hits, total, truncated, listing } = found;
			answers.push({ query, limit, total, truncated, listing, hits });
		}
	return answers;
}

test(`after ${KILLS} kills in the middle of its work a worker answers as one with a fresh index, to the last digit`, async (t) => {
	const dice = createDice(7);
	const workspace = await makeWorkspace(t);
	await cp("media/sample", workspace.path("sample"), { recursive: true });
	for (let kill = 0; kill < KILLS; kill++) {
		for (let edit = 0; edit < EDITS; edit++) await editAtRandom(workspace, dice);
		const worker = await start(t, workspace, "healed");
		const killAt = dice(40);
		const onProgress = ({ done }: IndexProgress) => {
			if (done >= killAt) worker.process.kill("SIGKILL");
		};
		const exited = once(worker.process, "exit");
		await worker.knowledge.index({ rebuild: kill % 5 === 4 }, onProgress, never).catch(() => undefined);
		worker.process.kill("SIGKILL");
		await exited;
	}
	const [healed, fresh] = [await start(t, workspace, "healed"), await start(t, workspace, "fresh")];
	for (const { index } of [healed, fresh]) await index();
	assert.deepEqual(await answersOf(healed), await answersOf(fresh));
});
