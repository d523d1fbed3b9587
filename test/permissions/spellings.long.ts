import assert from "node:assert/strict";
import { test } from "node:test";
import { linesThatRanZap } from "./canary.ts";
import { ALL, effectOf, ruleOf } from "./judging.ts";
import { createShellLines } from "./shellLines.ts";

const MINUTES = Number(process.env["COPILOT_LD_MINUTES"] ?? 20);
const SEED = Number(process.env["COPILOT_LD_SEED"] ?? Date.now() % 1_000_000) + 1;
const BATCH = 150;

test("a random command line that is allowed while a program is denied does not run that program", async (t) => {
	t.diagnostic(`COPILOT_LD_SEED=${SEED - 1}`);
	const next = createShellLines(SEED);
	const found: string[] = [];
	let count = 0;
	for (const end = Date.now() + MINUTES * 60_000; Date.now() < end; ) {
		const batch = new Set<string>();
		while (batch.size < BATCH) {
			const line = next();
			if (effectOf(line, ALL, ruleOf("deny", "zap")) === "allow") batch.add(line);
			count++;
		}
		await t.test(
			`${count} lines`,
			async (part) => void found.push(...(await linesThatRanZap(part, [...batch]))),
		);
	}
	t.diagnostic(`${count} lines`);
	assert.deepEqual(found, []);
});
