import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { llamaFolder } from "../../scripts/obtainLlama.ts";
import { makeFolder } from "../support/folder.ts";
import { untilIt } from "../support/untilIt.ts";
import { openServer, partsOf, REQUEST } from "./openServer.ts";
import { type Asked, begin, delta, finish } from "./scriptedServer.ts";
import { tinyGguf } from "./tinyGguf.ts";

const skip = existsSync(llamaFolder) ? false : "llama.cpp is missing: node scripts/obtainLlama.ts obtains it";

test("a real model keeps its limits, and stops if it repeats itself or the request is cancelled", {
	skip,
}, async (t) => {
	const modelPath = join(await makeFolder(t), "tiny.gguf");
	await writeFile(modelPath, tinyGguf());
	const entry = pathToFileURL(join(llamaFolder, "node_modules/node-llama-cpp/dist/index.js"));
	const { getLlama, LlamaCompletion } = await import(entry.href);
	// With more threads than free cores, each token waits for all threads.
	const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: 1 });
	t.after(() => llama.dispose());
	const model = await llama.loadModel({ modelPath });
	const context = await model.createContext({ contextSize: 16_384, threads: 1 });
	const contextSequence = context.getSequence();
	const completion = new LlamaCompletion({ contextSequence });
	const done = { pieces: 0, cancelled: 0 };
	const { scripted, server } = await openServer(t);
	const answer = async (response: ServerResponse, { body, left }: Asked) => {
		const gone = new AbortController();
		void left.then(() => gone.abort());
		begin(response);
		const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
		const onTextChunk = (content: string) => {
			done.pieces++;
			send(delta({ content }));
		};
		const tokens = model.tokenize(JSON.stringify(body["messages"]));
		const { signal } = gone;
		const options = { maxTokens: body["max_tokens"], signal, stopOnAbortSignal: true, onTextChunk };
		await contextSequence.clearHistory();
		const { metadata } = await completion.generateCompletionWithMeta(tokens, options);
		if (metadata.stopReason === "abort") done.cancelled++;
		send(finish("length"));
		send({ choices: [], usage: { prompt_tokens: tokens.length, completion_tokens: body["max_tokens"] } });
		response.end();
	};
	scripted.play((...given) => void answer(...given));
	const ask = (tokens: number, signal = new AbortController().signal) =>
		server.respond({ ...REQUEST, limits: { tokens, seconds: 60 } }, signal);

	const parts = await partsOf(ask(40));
	assert.ok(parts.filter(({ kind }) => kind === "text").length > 10);
	const usage = parts.find(({ kind }) => kind === "usage");
	assert.ok(usage?.kind === "usage" && usage.outputTokens === 40 && usage.inputTokens > 10);
	assert.match(JSON.stringify(parts.at(-1)), /"isCut":true.*its limit \(40 tokens\)/);

	assert.match(JSON.stringify((await partsOf(ask(8000))).at(-1)), /repeated itself/);
	await untilIt(async () => done.cancelled === 1, Boolean);
	assert.ok(done.pieces < 4000, `${done.pieces}`);

	const controller = new AbortController();
	await assert.rejects(async () => {
		for await (const { kind } of ask(8000, controller.signal)) if (kind === "text") controller.abort();
	});
	await untilIt(async () => done.cancelled === 2, Boolean);
});
