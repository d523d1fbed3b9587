import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { llamaFolder } from "../../scripts/obtainLlama.ts";
import { makeFolder } from "../support/folder.ts";
import { times } from "../support/times.ts";
import { untilIt } from "../support/untilIt.ts";
import { openServer, partsOf, REQUEST } from "./openServer.ts";
import { type Asked, begin, delta, finish } from "./scriptedServer.ts";

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

/** Sizes of the model: its single layer generates hundreds of tokens per second. */
const [WIDTH, HEADS, INNER, CONTEXT] = [64, 2, 128, 16_384];

/** Words that the model writes; other tokens only occur in its input. */
const WORDS = ["▁the", "▁lamp", "▁of", "▁Skagen", "▁is", "▁lit", "▁at", "▁dusk", "▁keeper", "▁tower", "."];
const LETTERS = times(95, (at) => String.fromCharCode(32 + at)).map((letter) => letter.replace(" ", "▁"));
const BYTES = times(256, (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
const TOKENS = ["<unk>", "<s>", "</s>", ...BYTES, ...LETTERS.filter((letter) => letter !== "."), ...WORDS];
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const KINDS = TOKENS.map(
	(token, at) => [UNKNOWN, CONTROL, CONTROL][at] ?? (BYTES.includes(token) ? BYTE : NORMAL),
);

type Value = string | number | { readonly float: number } | readonly string[];

const METADATA: Readonly<Record<string, Value>> = {
	"general.architecture": "llama",
	"llama.context_length": CONTEXT,
	"llama.embedding_length": WIDTH,
	"llama.block_count": 1,
	"llama.feed_forward_length": INNER,
	"llama.attention.head_count": HEADS,
	"llama.attention.layer_norm_rms_epsilon": { float: 1e-5 },
	"llama.rope.dimension_count": WIDTH / HEADS,
	"tokenizer.ggml.model": "llama",
	"tokenizer.ggml.tokens": TOKENS,
	"tokenizer.ggml.bos_token_id": 1,
	"tokenizer.ggml.eos_token_id": 2,
	"tokenizer.ggml.unknown_token_id": 0,
};

type Fill = (at: number) => number;

/** Builds a language model with random weights as a GGUF file (version 3). Its answers never end. */
function tinyGguf(): Buffer {
	let seed = 7;
	const random = () => {
		seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
		return seed / 2 ** 32 - 0.5;
	};
	const small: Fill = () => random() / 4;
	const said: Fill = (at) => (at >= (TOKENS.length - WORDS.length) * WIDTH ? random() * 4 : 0);
	const tensors: (readonly [name: string, sizes: readonly number[], fill: Fill])[] = [
		["token_embd", [WIDTH, TOKENS.length], random],
		["output_norm", [WIDTH], () => 1],
		["output", [WIDTH, TOKENS.length], said],
		...["attn_norm", "ffn_norm"].map((name) => [`blk.0.${name}`, [WIDTH], () => 1] as const),
		...["q", "k", "v", "output"].map((name) => [`blk.0.attn_${name}`, [WIDTH, WIDTH], small] as const),
		...["gate", "up"].map((name) => [`blk.0.ffn_${name}`, [WIDTH, INNER], small] as const),
		["blk.0.ffn_down", [INNER, WIDTH], small],
	];
	const values = Object.entries(METADATA).flatMap(([name, value]) => [text(name), ...written(value)]);
	const scores = TOKENS.map((_, at) => f32(-at));
	const head = [Buffer.from("GGUF"), u32(3), u64(tensors.length), u64(Object.keys(METADATA).length + 2)];
	const tokens = [
		...[text("tokenizer.ggml.scores"), u32(9), u32(6), u64(TOKENS.length), ...scores],
		...[text("tokenizer.ggml.token_type"), u32(9), u32(5), u64(TOKENS.length), ...KINDS.map(u32)],
	];
	let offset = 0;
	const infos = tensors.flatMap(([name, sizes]) => {
		const at = offset;
		// Needs no padding: all sizes are multiples of the alignment.
		offset += 4 * sizeOf(sizes);
		return [text(`${name}.weight`), u32(sizes.length), ...sizes.map(u64), u32(0), u64(at)];
	});
	const start = Buffer.concat([...head, ...values, ...tokens, ...infos]);
	const padding = Buffer.alloc((32 - (start.length % 32)) % 32);
	const weights = tensors.flatMap(([, sizes, fill]) => times(sizeOf(sizes), (at) => f32(fill(at))));
	return Buffer.concat([start, padding, ...weights]);
}

const sizeOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size);

function written(value: Value): Buffer[] {
	if (typeof value === "string") return [u32(8), text(value)];
	if (typeof value === "number") return [u32(4), u32(value)];
	return "float" in value
		? [u32(6), f32(value.float)]
		: [u32(9), u32(8), u64(value.length), ...value.map(text)];
}

const bytes = (size: number, write: (part: Buffer) => void) => {
	const part = Buffer.alloc(size);
	write(part);
	return part;
};
const u32 = (value: number) => bytes(4, (part) => part.writeUInt32LE(value));
const u64 = (value: number) => bytes(8, (part) => part.writeBigUInt64LE(BigInt(value)));
const f32 = (value: number) => bytes(4, (part) => part.writeFloatLE(value));
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
