import { createTextReader } from "../../base/words/textReader.ts";
import { createPieceTable, type PieceTable } from "./pieceTable.ts";
import type { TensorFile } from "./safetensors.ts";

export type Language = "english" | "other";

export interface Tokens {
	readonly english: readonly number[];
	readonly other: readonly number[];
	/** Positive if the name indicates another language than English, negative if it indicates English. */
	readonly foreignness: number;
}

export type Tokenizer = ReturnType<typeof createTokenizer>;

/** Names with punctuation, and the words that replace them, in this order. */
const NAMES: readonly (readonly [pattern: RegExp, word: string])[] = [
	[/(?<![A-Za-z0-9])[Cc]\+\+/g, "cplusplus"],
	[/(?<![A-Za-z0-9])[Cc]#/g, "csharp"],
	[/(?<![A-Za-z0-9])[Ff]#/g, "fsharp"],
	[/\.NET(?![A-Za-z])/g, " dotnet"],
];

const NAME_SIGN = /[Cc]\+\+|[CcFf]#|\.NET/;

const WIDE_SIGN = /[＋＃．]/;

/** The position before the last capital of an acronym: `HTTP|Server`. */
const ACRONYM_END = /(?<=[A-Z])(?=[A-Z][a-z]{2})/g;

/** Boundaries in camel case: `get|Element|By|Id`. There is none after a first word that begins with a capital. */
const HUMP =
	/(?<=(?<![A-Za-z0-9])[a-z][a-z0-9][A-Za-z0-9]*(?<=[a-z0-9])|[a-z0-9][A-Z][a-z][A-Za-z0-9]*(?<=[a-z0-9]))(?=[A-Z][a-z])/g;

const SEPARATORS = /[^\p{L}\p{N}]+/u;

const PLAIN = /^[A-Z]?[a-z0-9]*$/;

/** Maximum number of characters of an English word, as in the model's tokenizer. */
const LONGEST_WORD = 100;
/** Maximum number of characters of a name. Longer names are data and would take the look-behinds quadratic time. */
const LONGEST_RUN = 400;

interface Vocabulary {
	readonly english: PieceTable;
	readonly other: PieceTable;
	/** By id: how strongly the piece indicates another language than English. */
	readonly route: Int8Array;
}

export function createTokenizer({ english, other, route }: Vocabulary) {
	const understand = (name: string) => ({ tokens: tokensOfName(name), times: 1 });
	const words = createTextReader({ understand, joiners: "" });
	return {
		tokensOfName,
		/** Whether tokens of the text depend only on words and not on punctuation. */
		isMadeOfNames: (text: string) => !hasSign(text),
		read: (text: string) => words.read(hasSign(text) ? spellNames(text.normalize("NFKC")) : text),
	};

	function tokensOfName(name: string): Tokens {
		const parts = name.split(SEPARATORS).flatMap(partsOf);
		const found = parts.flatMap((part) => other(part, "skip"));
		const foreignness = found.reduce((sum, id) => sum + (route[id] as number), 0);
		const known = parts.flatMap((part) => (part.length > LONGEST_WORD ? [] : english(part, "give up")));
		return { english: known, other: found, foreignness };
	}
}

function hasSign(text: string): boolean {
	return NAME_SIGN.test(text) || WIDE_SIGN.test(text);
}

function spellNames(text: string): string {
	return NAMES.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
}

function partsOf(word: string): string[] {
	if (word.length > LONGEST_RUN) return [];
	if (PLAIN.test(word)) return [word.toLowerCase()];
	const humps = word.replaceAll("İ", "I").replace(ACRONYM_END, " ").replace(HUMP, " ");
	return humps.toLowerCase().split(" ");
}

/** Reads the tables that `npm run pieces` created, because building them takes most of the time to open the model. */
export function readPieces(read: TensorFile, tokenizer: Language) {
	const numbers = (name: string, dtype: string) => read(`${tokenizer}.${name}`, dtype).bytes.buffer;
	const pieces = {
		slots: new Int32Array(numbers("slots", "I32")),
		ids: new Uint32Array(numbers("ids", "U32")),
		ends: new Uint32Array(numbers("ends", "U32")),
		characters: new Uint16Array(numbers("characters", "U16")),
	};
	if (pieces.ids.length !== pieces.ends.length || pieces.slots.length <= pieces.ids.length)
		throw new Error(`The pieces of the tokenizer ${tokenizer} do not match.`);
	const size = pieces.ids.reduce((most, id) => Math.max(most, id + 1), 0);
	return { table: createPieceTable(pieces), size };
}
