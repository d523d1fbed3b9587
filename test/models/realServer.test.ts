import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { llamaFolder } from "../../scripts/obtainLlama.ts";
import { createModelServer } from "../../src/models/modelServer.ts";
import { readServerAddress } from "../../src/models/serverAddress.ts";
import { makeFolder } from "../support/folder.ts";
import { untilIt } from "../support/untilIt.ts";
import { partsOf, REQUEST } from "./openServer.ts";
import { tinyGguf } from "./tinyGguf.ts";

const skip = existsSync(llamaFolder) ? false : "llama.cpp is not there: node scripts/obtainLlama.ts gets it";
const never = new AbortController().signal;

test("a real model keeps its limits, and stops if it repeats itself or the request is cancelled", {
	skip,
}, async (t) => {
	const modelFile = join(await makeFolder(t), "tiny.gguf");
	await writeFile(modelFile, tinyGguf());
	const program = fork("test/models/llamaProgram.ts", [modelFile, llamaFolder]);
	t.after(() => program.kill());
	const [port] = await once(program, "message");
	const base = `http://127.0.0.1:${port}`;
	const done = async () =>
		(await (await fetch(`${base}/done`)).json()) as { generated: number; cancelled: number };
	const [address] = readServerAddress(base);
	const server = createModelServer({ address, key: undefined });
	const messages = [{ role: "user", text: "Who keeps the lamp?" }] as const;
	const ask = (tokens: number, signal = never) =>
		server.respond({ ...REQUEST, messages, limits: { tokens, seconds: 60 } }, signal);
	assert.deepEqual(await server.models(never), [{ name: "tiny", contextTokens: 16_384 }]);

	const parts = await partsOf(ask(40));
	assert.ok(parts.filter(({ kind }) => kind === "text").length > 10);
	const usage = parts.find(({ kind }) => kind === "usage");
	assert.ok(usage?.kind === "usage" && usage.outputTokens === 40 && usage.inputTokens > 10);
	assert.match(JSON.stringify(parts.at(-1)), /"isCut":true.*its limit \(40 tokens\)/);

	const before = await done();
	assert.match(JSON.stringify((await partsOf(ask(8000))).at(-1)), /repeated itself/);
	const { generated, cancelled } = await untilIt(done, (now) => now.cancelled === before.cancelled + 1);
	assert.ok(generated - before.generated < 4000, `${generated}`);

	const controller = new AbortController();
	await assert.rejects(async () => {
		for await (const { kind } of ask(8000, controller.signal)) if (kind === "text") controller.abort();
	});
	await untilIt(done, (now) => now.cancelled === cancelled + 1);
});
