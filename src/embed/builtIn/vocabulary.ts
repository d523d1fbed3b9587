import { createPieceTable, type PieceTable } from "./pieceTable.ts";
import { readNumbers, type TensorFile } from "./safetensors.ts";

/** The pieces of words that the model has rows for. */
export interface Vocabulary {
	/** Those of the tokenizer of English. */
	readonly english: PieceTable;
	/** Those of the tokenizer of other languages, which knows those of English too. */
	readonly other: PieceTable;
	/** How many ids the two have. */
	readonly sizes: readonly [english: number, all: number];
}

/** `npm run pieces` lays them out: to do it here would take most of an opening. */
export function readVocabulary(file: TensorFile): Vocabulary {
	const [english, other] = [readPieces(file, "english"), readPieces(file, "other")];
	return {
		english: createPieceTable(english),
		other: createPieceTable(other),
		sizes: [idsOf(english), idsOf(other)],
	};
}

function readPieces(file: TensorFile, tokenizer: string) {
	const pieces = {
		slots: new Int32Array(readNumbers(file, `${tokenizer}.slots`, "I32")),
		ids: new Uint32Array(readNumbers(file, `${tokenizer}.ids`, "U32")),
		ends: new Uint32Array(readNumbers(file, `${tokenizer}.ends`, "U32")),
		characters: new Uint16Array(readNumbers(file, `${tokenizer}.characters`, "U16")),
	};
	if (pieces.ids.length !== pieces.ends.length || pieces.slots.length <= pieces.ids.length)
		throw new Error(`The pieces of the tokenizer ${tokenizer} do not match.`);
	return pieces;
}

function idsOf({ ids }: { readonly ids: Uint32Array }): number {
	return ids.reduce((most, id) => Math.max(most, id + 1), 0);
}
