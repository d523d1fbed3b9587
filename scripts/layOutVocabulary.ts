import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSlots, type Pieces } from "../src/embed/builtIn/pieceTable.ts";
import { root } from "./paths.ts";

interface TokenizerFile {
	readonly model: { readonly vocab: Readonly<Record<string, number>> };
	readonly multilingual: { readonly first_id: number; readonly vocab: readonly string[] };
}

const UNKNOWN = "[UNK]";

/** Minimum number of characters; a shorter piece is too ambiguous without accents. */
const SHORTEST_PLAIN = 4;

const ASCII = /^\p{ASCII}*$/u;
const LATIN_START = /^\p{Script=Latin}/u;
const MARKS = /\p{Mn}/gu;

/** Returns the pieces of both tokenizers as a file of tensors. */
export async function layOutVocabulary(): Promise<Uint8Array> {
	const json = await readFile(join(root, "media/model/tokenizer.json"), "utf8");
	const { model, multilingual } = JSON.parse(json) as TokenizerFile;
	const { first_id: first, vocab } = multilingual;
	const english = Object.entries(model.vocab).filter(([piece]) => piece !== UNKNOWN);
	const others = vocab.map((piece, index) => [piece, first + index] as const);
	// People often omit accents that are hard to type.
	const plain = others.map(([piece, id]) => [plainOf(piece), id] as const).filter(([piece]) => piece !== "");
	return tensorFileOf({
		...tensorsOf("english", layOutPieces(firstIds(english))),
		...tensorsOf("other", layOutPieces(firstIds([...others, ...english, ...plain]))),
	});
}

const LONGEST_PIECE = 64;

export function layOutPieces(idOf: ReadonlyMap<string, number>): Pieces {
	const text = [...idOf.keys()].join("");
	const pieces = {
		slots: new Int32Array(2 ** Math.ceil(Math.log2(2 * idOf.size + 1))),
		ids: Uint32Array.from(idOf.values()),
		ends: new Uint32Array(idOf.size),
		characters: Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)),
	};
	const slotOf = createSlots(pieces, LONGEST_PIECE);
	let [place, end] = [0, 0];
	for (const piece of idOf.keys()) {
		if (piece.length > LONGEST_PIECE) throw new Error(`The piece ${piece} is too long.`);
		const slot = slotOf(piece);
		end += piece.length;
		pieces.ends[place] = end;
		pieces.slots[slot] = ++place;
	}
	return pieces;
}

/** Keeps the first id of each piece. */
function firstIds(entries: readonly (readonly [piece: string, id: number])[]): Map<string, number> {
	const ids = new Map<string, number>();
	for (const [piece, id] of entries) if (!ids.has(piece)) ids.set(piece, id);
	return ids;
}

/** The piece without its accents if only English letters remain; else empty, also if it has no accents. */
function plainOf(piece: string): string {
	if (piece.length < SHORTEST_PLAIN || ASCII.test(piece) || !LATIN_START.test(piece)) return "";
	const plain = piece.normalize("NFKD").replace(MARKS, "");
	return plain.length >= SHORTEST_PLAIN && ASCII.test(plain) ? plain : "";
}

type Numbers = Int32Array | Uint32Array | Uint16Array;

function tensorsOf(tokenizer: string, pieces: Pieces): Record<string, Numbers> {
	return Object.fromEntries(
		Object.entries(pieces).map(([name, numbers]) => [`${tokenizer}.${name}`, numbers]),
	);
}

function tensorFileOf(tensors: Record<string, Numbers>): Uint8Array {
	let end = 0;
	const header = Object.entries(tensors).map(([name, numbers]) => {
		const start = end;
		end += numbers.byteLength;
		return [name, { dtype: dtypeOf(numbers), shape: [numbers.length], data_offsets: [start, end] }];
	});
	const json = Buffer.from(JSON.stringify(Object.fromEntries(header)));
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(json.length));
	const bytes = Object.values(tensors).map(({ buffer, byteOffset, byteLength }) =>
		Buffer.from(buffer, byteOffset, byteLength),
	);
	return Buffer.concat([length, json, ...bytes]);
}

function dtypeOf(numbers: Numbers): string {
	if (numbers instanceof Int32Array) return "I32";
	return numbers instanceof Uint32Array ? "U32" : "U16";
}
