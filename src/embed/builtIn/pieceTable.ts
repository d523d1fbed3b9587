export type PieceTable = ReturnType<typeof createPieceTable>;

/** Hash table in the layout of the model's file. A `Map` of strings would take more memory, and time to fill. */
export interface Pieces {
	/** Index of a piece plus one, at the piece's hash or in the next free slot; 0 if free. Length is a power of two. */
	readonly slots: Int32Array;
	readonly ids: Uint32Array;
	/** Offset in `characters` where each piece ends and the next piece begins. */
	readonly ends: Uint32Array;
	readonly characters: Uint16Array;
}

/** FNV-1a (Fowler, Noll and Vo) over UTF-16 code units. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

interface State extends Pieces {
	readonly units: Uint16Array;
	/** Hash of each beginning of `units`, by its length. */
	readonly hashes: Int32Array;
	readonly longest: number;
}

export function createPieceTable(pieces: Pieces) {
	const longest = pieces.ends.reduce((most, _, place) => Math.max(most, lengthAt(pieces, place)), 0);
	const state = stateOf(pieces, longest);
	return (word: string, atUnknown: "skip" | "give up") => cut(state, word, atUnknown);
}

/** Splits a word greedily into the longest known pieces. Returns the pieces' ids. */
function cut(state: State, word: string, atUnknown: "skip" | "give up"): readonly number[] {
	const ids: number[] = [];
	for (let start = 0; start < word.length; ) {
		const place = longestAt(state, word, start);
		if (place === undefined && atUnknown === "give up") return [];
		if (place !== undefined) ids.push(state.ids[place] as number);
		start += place === undefined ? 1 : lengthAt(state, place);
	}
	return ids;
}

/** Returns a function that finds the slot of a piece of at most `longest` characters, or a free slot for it. */
export function createSlots(pieces: Pieces, longest: number) {
	const state = stateOf(pieces, longest);
	return (piece: string): number => {
		lookAt(state, piece, 0, piece.length);
		return slotOf(state, piece.length);
	};
}

function stateOf(pieces: Pieces, longest: number): State {
	return { ...pieces, units: new Uint16Array(longest), hashes: new Int32Array(longest + 1), longest };
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

/** Hashes all beginnings of a word incrementally, so that lookups allocate no strings. */
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

/** Slot of the piece that equals the first `length` characters, or the free slot for it. */
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

function lengthAt({ ends }: Pieces, place: number): number {
	return (ends[place] as number) - (place === 0 ? 0 : (ends[place - 1] as number));
}
