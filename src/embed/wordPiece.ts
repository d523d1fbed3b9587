/** Turns texts into ids of words and word parts, as the model's tokenizer.json says. */
export interface WordPiece {
	/** What the vocabulary does not know is left out. */
	idsOf(text: string): number[];
}

/** Names that would lose their meaning with their punctuation; in this order. */
const NAMES: readonly (readonly [pattern: RegExp, word: string])[] = [
	[/(?<![A-Za-z0-9])[Cc]\+\+/g, "cplusplus"],
	[/(?<![A-Za-z0-9])[Cc]#/g, "csharp"],
	[/(?<![A-Za-z0-9])[Ff]#/g, "fsharp"],
	[/\.NET(?![A-Za-z])/g, " dotnet"],
];

/** `HTTP|Server`: before the last capital of a row of capitals. */
const ACRONYM_END = /(?<=[A-Z])(?=[A-Z][a-z]{2})/g;

/** `get|Element|By|Id`: every hump of a word that begins in lower case, else every hump after the first. */
const HUMP =
	/(?<=(?<![A-Za-z0-9])[a-z][a-z0-9][A-Za-z0-9]*(?<=[a-z0-9])|[a-z0-9][A-Z][a-z][A-Za-z0-9]*(?<=[a-z0-9]))(?=[A-Z][a-z])/g;

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const NAME_SIGN = /\+\+|#|\.NET/;

/** Characters; the model knows nothing in a longer word. */
const LONGEST_WORD = 100;

/** Characters; a longer run is data, not words, and the look-behinds above take quadratic time. */
const LONGEST_RUN = 400;

/** Words that are remembered, and as many again that were used before them. */
const CACHED_WORDS = 32_768;

export function createWordPiece(vocabulary: ReadonlyMap<string, number>): WordPiece {
	const longestPiece = Math.max(...[...vocabulary.keys()].map((piece) => piece.length));
	let recent = new Map<string, readonly number[]>();
	let older = recent;
	return {
		idsOf(text) {
			const ids: number[] = [];
			for (const word of wordsOf(text)) for (const id of idsOfWord(word)) ids.push(id);
			return ids;
		},
	};

	function idsOfWord(word: string): readonly number[] {
		const known = recent.get(word);
		if (known) return known;
		const ids = older.get(word) ?? partsOf(word).flatMap(piecesOf);
		if (recent.size >= CACHED_WORDS) {
			older = recent;
			recent = new Map();
		}
		recent.set(word, ids);
		return ids;
	}

	/** Greedy, longest first; one unknown character spoils the word. */
	function piecesOf(word: string): readonly number[] {
		const ids: number[] = [];
		if (word.length > LONGEST_WORD) return ids;
		for (let start = 0; start < word.length; ) {
			const piece = pieceAt(word, start);
			const id = vocabulary.get(piece);
			if (id === undefined) return [];
			ids.push(id);
			start += piece.length;
		}
		return ids;
	}

	/** Empty where the vocabulary has none. */
	function pieceAt(word: string, start: number): string {
		let piece = word.slice(start, start + longestPiece);
		while (piece !== "" && !vocabulary.has(piece)) piece = piece.slice(0, -1);
		return piece;
	}
}

function wordsOf(text: string): readonly string[] {
	if (!NOT_ASCII.test(text)) return spellNames(text).match(ASCII_WORD) ?? [];
	const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
	return spellNames(plain).match(WORD) ?? [];
}

function spellNames(text: string): string {
	if (!NAME_SIGN.test(text)) return text;
	return NAMES.reduce((result, [pattern, word]) => result.replace(pattern, word), text);
}

function partsOf(word: string): string[] {
	if (word.length > LONGEST_RUN) return [];
	return word.replace(ACRONYM_END, " ").replace(HUMP, " ").toLowerCase().split(" ");
}
