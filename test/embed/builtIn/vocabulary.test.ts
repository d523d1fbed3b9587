import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { layOutVocabulary } from "../../../scripts/layOutVocabulary.ts";
import { createPieceTable, layOutPieces } from "../../../src/embed/builtIn/pieceTable.ts";

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
