import assert from "node:assert/strict";
import { test } from "node:test";
import { questionsThatDiffer } from "./openPolicy.ts";
import { createFolders } from "./randomFolders.ts";

const MINUTES = Number(process.env["COPILOT_LD_MINUTES"] ?? 20);
const SEED = Number(process.env["COPILOT_LD_SEED"] ?? Date.now() % 1_000_000) + 1;

test("random folders that differ only in what a random policy hides give equal answers", async (t) => {
	const found: string[] = [];
	for (let [seed, end] = [SEED, Date.now() + MINUTES * 60_000]; Date.now() < end; seed++)
		await t.test(`COPILOT_LD_SEED=${seed - 1}`, async (part) => {
			const { folders, ...asking } = createFolders(seed);
			const different = await questionsThatDiffer(part, folders, asking);
			found.push(...different.map((question) => `${seed - 1}: ${question}`));
		});
	assert.deepEqual(found, []);
});
