import { createWordTable, fold } from "../../base/wordTable.ts";
import { createPieceTable } from "./pieceTable.ts";

/** Turns texts into ids of words and word parts, as the model's tokenizer.json says. */
export interface WordPiece {
	/** What the vocabulary does not know is left out. */
	idsOf(text: string): number[];
	/** The same for words of letters and digits that other characters join. */
	idsOfName(name: string): number[];
	/** Whether nothing but the words of a text decides about its ids. */
	isMadeOfNames(text: string): boolean;
}

/** Names that would lose their meaning with their punctuation; in this order. */
const NAMES: readonly (readonly [pattern: RegExp, word: string])[] = [
	[/(?<![A-Za-z0-9])[Cc]\+\+/g, "cplusplus"],
	[/(?<![A-Za-z0-9])[Cc]#/g, "csharp"],
	[/(?<![A-Za-z0-9])[Ff]#/g, "fsharp"],
	[/\.NET(?![A-Za-z])/g, " dotnet"],
];

/** Without one of these none of these names is in a text. */
const NAME_SIGN = /[Cc]\+\+|[CcFf]#|\.NET/;

/** `HTTP|Server`: before the last capital of a row of capitals. */
const ACRONYM_END = /(?<=[A-Z])(?=[A-Z][a-z]{2})/g;

/** `get|Element|By|Id`: every hump of a word that begins in lower case, else every hump after the first. */
const HUMP =
	/(?<=(?<![A-Za-z0-9])[a-z][a-z0-9][A-Za-z0-9]*(?<=[a-z0-9])|[a-z0-9][A-Z][a-z][A-Za-z0-9]*(?<=[a-z0-9]))(?=[A-Z][a-z])/g;

const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** One hump. */
const PLAIN = /^[A-Z]?[a-z0-9]*$/;

/** Characters; the model knows nothing in a longer word. */
const LONGEST_WORD = 100;

/** Characters; a longer run is data, not words, and the look-behinds above take quadratic time. */
const LONGEST_RUN = 400;

export function createWordPiece(vocabulary: ReadonlyMap<string, number>): WordPiece {
	const pieces = createPieceTable(vocabulary);
	const words = createWordTable<readonly number[]>({
		understand: idsOfWord,
		joiners: "",
	});
	return {
		isMadeOfNames: (text) => !NAME_SIGN.test(text),
		idsOfName: (name) => name.split(SEPARATORS).flatMap(idsOfWord),
		idsOf(text) {
			const ids: number[] = [];
			for (const pieces of wordsOf(text)) for (const id of pieces) ids.push(id);
			return ids;
		},
	};

	function wordsOf(text: string): (readonly number[])[] {
		const plain = NAME_SIGN.test(text) ? undefined : words.read(text);
		return plain ?? words.readFolded(spellNames(fold(text)));
	}

	function idsOfWord(word: string): readonly number[] {
		return partsOf(word).flatMap(piecesOf);
	}

	/** Greedy, longest first; one unknown character spoils the word. */
	function piecesOf(word: string): readonly number[] {
		const ids: number[] = [];
		if (word.length > LONGEST_WORD) return ids;
		for (let start = 0; start < word.length; ) {
			const id = pieces.longestAt(word, start);
			if (id === undefined) return [];
			ids.push(id);
			start += pieces.lengthOf(id);
		}
		return ids;
	}
}

function spellNames(text: string): string {
	if (!NAME_SIGN.test(text)) return text;
	return NAMES.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
}

function partsOf(word: string): string[] {
	if (word.length > LONGEST_RUN) return [];
	if (PLAIN.test(word)) return [word.toLowerCase()];
	return word.replace(ACRONYM_END, " ").replace(HUMP, " ").toLowerCase().split(" ");
}
