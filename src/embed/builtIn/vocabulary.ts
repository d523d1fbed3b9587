import { createPieceTable, type PieceTable } from "./pieceTable.ts";

/** The pieces of words that the model has rows for. */
export interface Vocabulary {
	/** Those of the tokenizer of English. */
	readonly english: PieceTable;
	/** Those of the tokenizer of other languages, which knows those of English too. */
	readonly other: PieceTable;
	/** How many ids the two have. */
	readonly sizes: readonly [english: number, all: number];
}

interface TokenizerFile {
	readonly model: { readonly vocab: Readonly<Record<string, number>> };
	readonly multilingual: { readonly first_id: number; readonly vocab: readonly string[] };
}

const UNKNOWN = "[UNK]";

/** Characters; a shorter piece says too little without its accents. */
const SHORTEST_PLAIN = 4;

const ASCII = /^\p{ASCII}*$/u;
const LATIN_START = /^\p{Script=Latin}/u;
const MARKS = /\p{Mn}/gu;

export function parseVocabulary(json: string): Vocabulary {
	const { model, multilingual } = JSON.parse(json) as TokenizerFile;
	const { first_id: first, vocab: pieces } = multilingual;
	// Accents are often left out where they are hard to type.
	const plain = pieces.map(plainOf);
	const known = Object.keys(model.vocab).filter((piece) => piece !== UNKNOWN);
	const english = tableFor(known);
	const other = tableFor([...pieces, ...known, ...plain]);
	for (const [index, piece] of pieces.entries()) other.add(piece, first + index);
	for (const piece of known) {
		english.add(piece, model.vocab[piece] as number);
		other.add(piece, model.vocab[piece] as number);
	}
	for (const [index, piece] of plain.entries()) if (piece !== "") other.add(piece, first + index);
	return { english, other, sizes: [known.length, first + pieces.length] };
}

function tableFor(pieces: readonly string[]): PieceTable {
	return createPieceTable(
		pieces.length,
		pieces.reduce((sum, { length }) => sum + length, 0),
	);
}

/** The piece without its accents, where it has some and is all letters of English then; empty elsewhere. */
function plainOf(piece: string): string {
	if (piece.length < SHORTEST_PLAIN || ASCII.test(piece) || !LATIN_START.test(piece)) return "";
	const plain = piece.normalize("NFKD").replace(MARKS, "");
	return plain.length >= SHORTEST_PLAIN && ASCII.test(plain) ? plain : "";
}
