/** Finds the pieces of a vocabulary that words begin with. */
export interface PieceTable {
	/** The id of the longest piece that stands at this place of a word; `undefined` where none does. */
	longestAt(word: string, start: number): number | undefined;
	/** Characters of the piece. */
	lengthOf(id: number): number;
}

/** The hash of Fowler, Noll and Vo (FNV-1a), over UTF-16 code units. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** The hashes of all beginnings of a word come out of one another: so many lookups take no strings. */
export function createPieceTable(vocabulary: ReadonlyMap<string, number>): PieceTable {
	const pieces: string[] = [];
	let longest = 0;
	for (const [piece, id] of vocabulary) {
		pieces[id] = piece;
		longest = Math.max(longest, piece.length);
	}
	const mask = 2 ** Math.ceil(Math.log2(4 * vocabulary.size + 1)) - 1;
	/** Ids plus one, at the hash of their piece or in the next free place after it. */
	const slots = new Int32Array(mask + 1);
	const hashes = new Int32Array(longest + 1);
	for (const [piece, id] of vocabulary) {
		let slot = (hashTo(piece, 0, piece.length)[piece.length] as number) & mask;
		while (slots[slot] !== 0) slot = (slot + 1) & mask;
		slots[slot] = id + 1;
	}
	return {
		longestAt: (word, start) => {
			const most = Math.min(longest, word.length - start);
			hashTo(word, start, most);
			for (let length = most; length > 0; length--) {
				const id = find(word, start, length);
				if (id !== undefined) return id;
			}
			return undefined;
		},
		lengthOf: (id) => pieces[id]?.length ?? 0,
	};

	/** By their length, the hashes of the beginnings. */
	function hashTo(word: string, start: number, length: number): Int32Array {
		let hash = HASH_START;
		for (let index = 0; index < length; index++) {
			hash = Math.imul(hash ^ word.charCodeAt(start + index), HASH_PRIME);
			hashes[index + 1] = hash ^ (hash >>> 15);
		}
		return hashes;
	}

	function find(word: string, start: number, length: number): number | undefined {
		for (let slot = (hashes[length] as number) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
			const id = (slots[slot] as number) - 1;
			const piece = pieces[id] as string;
			if (piece.length === length && word.startsWith(piece, start)) return id;
		}
		return undefined;
	}
}
