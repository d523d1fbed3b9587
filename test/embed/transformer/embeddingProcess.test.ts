import assert from "node:assert/strict";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import {
	createEmbeddingProcess,
	type EmbeddingProcess,
	troubleOfRuntime,
} from "../../../src/embed/transformer/embeddingProcess.ts";
import { DIMENSIONS, writeTinyModel } from "./tinyModel.ts";

const PROGRAM = resolve("src/embed/transformer/embeddingProgram.ts");
const never = new AbortController().signal;

async function open(t: TestContext, options?: { readonly idleMs: number }): Promise<EmbeddingProcess> {
	const process = createEmbeddingProcess(PROGRAM, await writeTinyModel(t), options);
	t.after(() => process.close());
	return process;
}

test("texts are embedded in a process that starts again after it was closed or has rested", async (t) => {
	const process = await open(t, { idleMs: 1 });
	for (const text of ["cost", "car"]) {
		assert.equal((await process.embed([text], never)).dimensions, DIMENSIONS);
		process.close();
	}
});

test("what is asked while the process is closed is rejected, and so is what was cancelled", async (t) => {
	const process = await open(t);
	const asked = process.embed(["cost"], never);
	process.close();
	await assert.rejects(asked, { name: "Failure", code: "MODEL_FAILED" });
	const stop = new AbortController();
	const cancelled = process.embed(["cost"], stop.signal);
	stop.abort();
	await assert.rejects(cancelled, { name: "AbortError" });
});

test("a program that is missing, and a folder that is no model, are failures and no crashes", async (t) => {
	const nowhere = createEmbeddingProcess(resolve("nowhere.cjs"), "/nowhere");
	for (let time = 0; time < 2; time++)
		await assert.rejects(nowhere.embed(["cost"], never), { code: "MODEL_FAILED", message: /ended \(1\)/ });
	const folder = await writeTinyModel(t, { "tokenizer.json": undefined });
	const empty = createEmbeddingProcess(PROGRAM, folder);
	await assert.rejects(empty.embed(["cost"], never), { message: /tokenizer\.json is missing/ });
	assert.match((await troubleOfRuntime(resolve("nowhere.cjs"))) ?? "", /ended \(1\)/);
	assert.equal(await troubleOfRuntime(PROGRAM), undefined);
});
