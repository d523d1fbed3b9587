/** Finds the pieces of a vocabulary that words begin with. */
export interface PieceTable {
	/** Takes a piece in, unless it is there already; several may have one id. */
	add(piece: string, id: number): void;
	/** The place in the table of the longest piece that stands there in a word; `undefined` where none does. */
	longestAt(word: string, start: number): number | undefined;
	idAt(place: number): number;
	/** Characters of the piece. */
	lengthAt(place: number): number;
}

/** The hash of Fowler, Noll and Vo (FNV-1a), over UTF-16 code units. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Characters. */
const LONGEST_PIECE = 64;

/** Pieces lie in arrays: as strings in a map they would take several times the memory, and the time to fill it. */
interface State {
	/** Places plus one, at the hash of their piece or in the next free slot after it. */
	readonly slots: Int32Array;
	readonly ids: Uint32Array;
	/** Where the piece of a place ends: there the next one begins. */
	readonly ends: Uint32Array;
	readonly characters: Uint16Array;
	/** What was looked at last, and by their length, the hashes of its beginnings. */
	readonly units: Uint16Array;
	readonly hashes: Int32Array;
	size: number;
	longest: number;
}

/** Room for so many pieces, and so many characters of them. */
export function createPieceTable(pieces: number, characters: number): PieceTable {
	const state: State = {
		slots: new Int32Array(2 ** Math.ceil(Math.log2(2 * pieces + 1))),
		ids: new Uint32Array(pieces),
		ends: new Uint32Array(pieces),
		characters: new Uint16Array(characters),
		units: new Uint16Array(LONGEST_PIECE),
		hashes: new Int32Array(LONGEST_PIECE + 1),
		size: 0,
		longest: 0,
	};
	return {
		add: (piece, id) => addPiece(state, piece, id),
		longestAt: (word, start) => longestAt(state, word, start),
		idAt: (place) => state.ids[place] as number,
		lengthAt: (place) => lengthAt(state, place),
	};
}

function addPiece(state: State, piece: string, id: number): void {
	const { slots, ids, ends, characters, size } = state;
	if (piece.length > LONGEST_PIECE) throw new Error(`The piece ${piece} is too long.`);
	lookAt(state, piece, 0, piece.length);
	const slot = slotOf(state, piece.length);
	if (slots[slot] !== 0) return;
	const from = size === 0 ? 0 : (ends[size - 1] as number);
	for (let index = 0; index < piece.length; index++) characters[from + index] = piece.charCodeAt(index);
	ends[size] = from + piece.length;
	ids[size] = id;
	state.longest = Math.max(state.longest, piece.length);
	state.size++;
	slots[slot] = state.size;
}

function longestAt(state: State, word: string, start: number): number | undefined {
	const most = Math.min(state.longest, word.length - start);
	lookAt(state, word, start, most);
	for (let length = most; length > 0; length--) {
		const place = (state.slots[slotOf(state, length)] as number) - 1;
		if (place >= 0) return place;
	}
	return undefined;
}

/** The hashes of all beginnings of a word come out of one another: so many lookups take no strings. */
function lookAt(state: State, word: string, start: number, length: number): void {
	const { hashes, units } = state;
	let hash = HASH_START;
	for (let index = 0; index < length; index++) {
		const unit = word.charCodeAt(start + index);
		units[index] = unit;
		hash = Math.imul(hash ^ unit, HASH_PRIME);
		hashes[index + 1] = hash ^ (hash >>> 15);
	}
}

/** Of the beginning of this length: its slot, or the free one where it would be. */
function slotOf(state: State, length: number): number {
	const { slots, hashes } = state;
	const mask = slots.length - 1;
	let slot = (hashes[length] as number) & mask;
	while (slots[slot] !== 0 && !isPiece(state, (slots[slot] as number) - 1, length)) slot = (slot + 1) & mask;
	return slot;
}

function isPiece(state: State, place: number, length: number): boolean {
	if (lengthAt(state, place) !== length) return false;
	const { characters, ends, units } = state;
	const from = (ends[place] as number) - length;
	for (let index = 0; index < length; index++) if (characters[from + index] !== units[index]) return false;
	return true;
}

function lengthAt({ ends }: State, place: number): number {
	return (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
}
