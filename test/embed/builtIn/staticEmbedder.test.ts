import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { layOutPieces, layOutVocabulary } from "../../../scripts/layOutVocabulary.ts";
import { createPieceTable } from "../../../src/embed/builtIn/pieceTable.ts";
import { openStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { createTokenizer } from "../../../src/embed/builtIn/tokenizer.ts";
import { makeFolder } from "../../support/folder.ts";

const modelFolder = "media/model";
const embedder = await openStaticEmbedder(modelFolder);

/** First numbers of vectors: English ones from another tokenizer, others from the model's reference implementation. */
const samples: Record<string, readonly number[]> = {
	"How do I open a file?": [0.136838, -0.064671, 0.048592, 0.038694, 0.154516],
	"parseJSON reads C# and .NET settings": [-0.097391, 0.063774, 0.060559, 0.042805, -0.100471],
	"Wie öffne ich eine Datei?": [0.042225, 0.005222, 0.074306, 0.058584, 0.062143],
	"Как открыть файл?": [0.046901, -0.051296, 0.057634, -0.007564, 0.170382],
	"如何打开文件？": [0.073023, -0.083677, -0.007837, 0, 0.065187],
	"파일을 여는 방법": [0.010854, -0.044699, 0.008567, 0.002287, 0.13239],
	"İstanbul'da dosya nasıl açılır?": [0.035832, -0.077479, -0.061261, -0.110608, 0.068348],
};

for (const [text, start] of Object.entries(samples))
	test(`the vector of "${text}" is unchanged`, async () => {
		const vector = await embedder.embed([text]);
		const isNear = start.every((value, d) => Math.abs((vector[d] ?? 0) - value) < 1e-4);
		assert.ok(isNear, `${vector.slice(0, 5)}`);
	});

test("a text without a known word has a zero vector, and an empty list has no vectors", async () => {
	assert.deepEqual(await embedder.embed(["", "ქართული"]), new Float32Array(2 * embedder.dimensions));
	assert.equal((await embedder.embed([])).length, 0);
});

test("embedding many texts can be canceled", async () => {
	const texts = new Array<string>(100).fill("word ".repeat(2000));
	await assert.rejects(embedder.embed(texts, AbortSignal.abort()), { name: "AbortError" });
});

const weights = readFileSync(join(modelFolder, "model.safetensors"));
const typeAt = weights.indexOf('"I8"');
const withType = (type: string) => Buffer.from(weights).fill(`"${type}"`, typeAt, typeAt + 4);

for (const [damage, file, content] of [
	["without entries", "config.json", "{}"],
	["that is too short", "pieces.safetensors", "short"],
	["that is too short", "model.safetensors", "short"],
	["with half a header", "model.safetensors", weights.subarray(0, 30)],
	["with half of its weights", "model.safetensors", weights.subarray(0, weights.length / 2)],
	["with numbers of another type", "model.safetensors", withType("U4")],
] as const)
	test(`a model with a ${file} ${damage} fails with a message that asks to reinstall`, async (t) => {
		const folder = await makeFolder(t);
		await cp(modelFolder, folder, { recursive: true });
		await writeFile(join(folder, file), content);
		const missing = { name: "Failure", code: "MODEL_MISSING", message: /Reinstall/ };
		for (const path of [folder, join(folder, "gone")])
			await assert.rejects(openStaticEmbedder(path), missing);
	});

const PIECES = "get element by id http server java script github open file cplusplus csharp fsharp dotnet";
const pieces = `${PIECES} pen s 1 a c n`.split(" ");
const vocabulary = createPieceTable(layOutPieces(new Map(pieces.map((piece, id) => [piece, id]))));

function cut(text: string): string {
	const { read } = createTokenizer({
		english: vocabulary,
		other: vocabulary,
		route: new Int8Array(pieces.length),
	});
	const { folded } = read(text);
	return folded
		.flatMap(({ tokens }) => tokens.english)
		.map((id) => pieces[id])
		.join(" ");
}

const cases: Record<string, string> = {
	"Open-File_ID": "open file id",
	getElementById: "get element by id",
	HTTPServer: "http server",
	JavaScript: "java script",
	"opens files": "open s file s",
	"C++ c# F# .NET": "cplusplus csharp fsharp dotnet",
	"õpèn ﬁle": "open file",
	"openx file": "file",
	"zzz 中文 😀": "",
	"": "",
};

for (const [text, expected] of Object.entries(cases))
	test(`the tokenizer splits "${text}" into "${expected}"`, () => assert.equal(cut(text), expected));

test("a long run of letters has no tokens and is skipped quickly", () => {
	assert.equal(cut("aB".repeat(1_000_000)), "");
	assert.equal(cut("a".repeat(101)), "");
	assert.equal(cut("a".repeat(100)).length, 199);
});

test("the bundled pieces match the vocabulary (otherwise, run `npm run pieces`)", async () => {
	const made = await layOutVocabulary();
	assert.ok(readFileSync("media/model/pieces.safetensors").equals(made));
});
