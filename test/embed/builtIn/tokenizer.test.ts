import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { layOutVocabulary } from "../../../scripts/layOutVocabulary.ts";
import { createPieceTable, layOutPieces } from "../../../src/embed/builtIn/pieceTable.ts";
import { createTokenizer } from "../../../src/embed/builtIn/tokenizer.ts";

const PIECES = "get element by id http server java script github open file cplusplus csharp fsharp dotnet";
const pieces = `${PIECES} pen s 1 a c n`.split(" ");
const vocabulary = createPieceTable(layOutPieces(new Map(pieces.map((piece, id) => [piece, id]))));
const route = new Int8Array(pieces.length);

function cut(text: string, by: "english" | "other" = "english"): string {
	const { read } = createTokenizer({ english: vocabulary, other: vocabulary, sizes: [0, 0], route });
	const { folded, written } = read(text);
	return (by === "english" ? folded : written)
		.flatMap(({ tokens }) => tokens[by])
		.map((id) => pieces[id])
		.join(" ");
}

const cases: Record<string, string> = {
	"open file": "open file",
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

for (const [text, expected] of Object.entries(cases)) {
	test(`"${text}" is cut into "${expected}"`, () => {
		assert.equal(cut(text), expected);
	});
}

test("runs of letters that are no words give nothing, and take no time", () => {
	assert.equal(cut("aB".repeat(1_000_000)), "");
	assert.equal(cut("a".repeat(101)), "");
	assert.equal(cut("a".repeat(100)).length, 199);
});

test("the tokenizer of other languages leaves out what it does not know of a word, and keeps the accents", () => {
	assert.equal(cut("openx xfile õpen ﬁle", "other"), "open file pen file");
	assert.equal(cut("getElementById c＋＋", "other"), "get element by id cplusplus");
});

test("a text speaks for another language as much as its pieces do", () => {
	const weighed = createTokenizer({
		sizes: [0, 0],
		english: vocabulary,
		other: vocabulary,
		route: route.map((_, id) => id),
	});
	assert.equal(weighed.tokensOfName("element_get").foreignness, 1);
	assert.equal(weighed.tokensOfName("by_by").foreignness, 4);
});

test("the pieces that ship are those of the vocabulary: run `npm run pieces`", async () => {
	const made = await layOutVocabulary();
	assert.ok(readFileSync("media/model/pieces.safetensors").equals(made));
});

test("every piece is found where it stands, whatever its characters", () => {
	const pieces = ["a", "ab", "abc", "𝒜", "𝒜b", "中文", "é"];
	const { longestAt, idAt, lengthAt } = createPieceTable(
		layOutPieces(new Map(pieces.map((piece, index) => [piece, 7 * index]))),
	);
	for (const [index, piece] of pieces.entries()) {
		const place = longestAt(`xx${piece}x`, 2) ?? Number.NaN;
		assert.deepEqual([idAt(place), lengthAt(place)], [7 * index, piece.length]);
	}
	assert.equal(longestAt("xx", 0), undefined);
});
