import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Failure } from "../../../src/base/failure.ts";
import { openStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { createWordPiece } from "../../../src/embed/builtIn/wordPiece.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const modelFolder = join(root, "media/model");
const { COPILOT_LD_MODEL_GOLDEN: golden = join(root, "../shared/model/golden.jsonl") } = process.env;
const embedder = await openStaticEmbedder(modelFolder);

interface GoldenText {
	readonly text: string;
	readonly tokens: readonly number[];
	readonly vector: readonly number[];
}

function readGolden(): GoldenText[] {
	const lines = readFileSync(golden, "utf8").split("\n");
	return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as GoldenText);
}

async function assertVector(text: string, expected: readonly number[]): Promise<void> {
	const vector = await embedder.embed([text]);
	for (const [d, value] of expected.entries())
		assert.ok(Math.abs((vector[d] ?? 0) - value) < 1e-4, `${text}: ${d}`);
}

/** Made once with another tokenizer and plain sums. */
const samples: Record<string, readonly number[]> = {
	"How do I open a file?": [
		0.136838, -0.064671, 0.048592, 0.038694, 0.154516, 0.069114, -0.048748, -0.023228,
	],
	"parseJSON reads C# and .NET settings": [
		-0.097391, 0.063774, 0.060559, 0.042805, -0.100471, -0.033775, -0.009387, -0.118393,
	],
	"naïve café — Θ = 45°": [
		0.022265, 0.144456, -0.063408, 0.034903, -0.075321, -0.015164, -0.001778, -0.082472,
	],
};

for (const [text, start] of Object.entries(samples)) {
	test(`the vector of "${text}" begins as it always did`, () => assertVector(text, start));
}

const skip = existsSync(golden) ? false : `There is no ${golden}.`;

test("the golden texts have the golden tokens", { skip }, () => {
	const tokenizer = JSON.parse(readFileSync(join(modelFolder, "tokenizer.json"), "utf8"));
	const vocabulary = new Map(Object.entries<number>(tokenizer.model.vocab));
	vocabulary.delete("[UNK]");
	const { idsOf } = createWordPiece(vocabulary);
	for (const { text, tokens } of readGolden()) assert.deepEqual(idsOf(text), tokens);
});

test("the golden texts have the golden vectors", { skip }, async () => {
	for (const { text, vector } of readGolden()) await assertVector(text, vector);
});

test("texts that are near in meaning are near as vectors", async () => {
	const vectors = await embedder.embed(["delete a file", "remove a document from disk", "curved space"]);
	const row = (index: number) => [...vectors.subarray(index * 256, (index + 1) * 256)];
	const cosine = (a: number[], b: number[]) => a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);
	assert.ok(cosine(row(0), row(1)) > cosine(row(0), row(2)) + 0.1);
	assert.ok(Math.abs(cosine(row(0), row(0)) - 1) < 1e-5);
});

test("a text without a known word gives zeros, and no texts give no numbers", async () => {
	assert.deepEqual(await embedder.embed(["", "中文"]), new Float32Array(2 * embedder.dimensions));
	assert.equal((await embedder.embed([])).length, 0);
});

test("much text can be cancelled", async () => {
	const texts = new Array<string>(100).fill("word ".repeat(2000));
	await assert.rejects(embedder.embed(texts, AbortSignal.abort()), { name: "AbortError" });
});

async function damagedModel(t: TestContext, file: string, content: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "model-"));
	t.after(() => rm(folder, { recursive: true }));
	for (const name of ["config.json", "tokenizer.json", "model.safetensors"])
		await copyFile(join(modelFolder, name), join(folder, name));
	await writeFile(join(folder, file), content);
	return folder;
}

const damages: Record<string, string> = {
	"config.json": "{}",
	"tokenizer.json": "not json",
	"model.safetensors": "short",
};

for (const [file, content] of Object.entries(damages)) {
	test(`a broken ${file} is a failure that says what to do`, async (t) => {
		const folder = await damagedModel(t, file, content);
		await assert.rejects(openStaticEmbedder(folder), isModelMissing);
	});
}

test("a missing folder is a failure that says what to do", async () => {
	await assert.rejects(openStaticEmbedder(join(tmpdir(), "no-such-model")), isModelMissing);
});

function isModelMissing(error: unknown): boolean {
	return error instanceof Failure && error.code === "MODEL_MISSING" && error.message.includes("Install");
}
