import assert from "node:assert/strict";
import { test } from "node:test";
import { createWordPiece } from "../../../src/embed/builtIn/wordPiece.ts";

const PIECES = "get element by id http server java script github open file cplusplus csharp fsharp dotnet";
const vocabulary = new Map(`${PIECES} pen s 1 a c n`.split(" ").map((piece, index) => [piece, index]));
const pieces = [...vocabulary.keys()];

/** The words and word parts that a text is cut into. */
function cut(text: string): string {
	const { idsOf } = createWordPiece(vocabulary);
	return idsOf(text)
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

test("a word gives the same again from memory", () => {
	const { idsOf } = createWordPiece(vocabulary);
	assert.deepEqual(idsOf("opens opens"), [...idsOf("opens"), ...idsOf("opens")]);
});

test("runs of letters that are no words give nothing, and take no time", () => {
	assert.equal(cut("aB".repeat(1_000_000)), "");
	assert.equal(cut("a".repeat(101)), "");
	assert.equal(cut("a".repeat(100)).length, 199);
});
