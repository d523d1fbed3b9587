/** An entry of a list that represents one or more occurrences of a word. */
export interface Counted {
	readonly times: number;
}

export interface WordTableOptions<Known> {
	readonly understand: (word: string) => Known;
	/** Characters that may join the letters and digits of a word. */
	readonly joiners: string;
	/** Whether words keep their diacritics. If so, no text is folded. */
	readonly keepsMarks?: boolean;
}

/** Maximum number of words remembered; a full table is cleared. */
const MOST_WORDS = 65_536;
/** Maximum total length of the words remembered. */
const MOST_CHARACTERS = 12 * MOST_WORDS;
const SLOTS = 2 * MOST_WORDS;

/** Maximum length of a word that is remembered. */
const LONGEST_WORD = 64;

/** Constants of the FNV-1a hash (Fowler, Noll and Vo), used over UTF-16 code units. */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Kinds of UTF-16 code units; 0 means not determined yet. */
const [LETTER, JOINER, OTHER, FOLDABLE, HALF] = [1, 2, 3, 4, 5];

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const LETTER_DIGIT_OR_MARK = /^[\p{L}\p{N}\p{M}]$/u;
const MARKS = /\p{M}/gu;
const ASCII = /^\p{ASCII}*$/u;

type State<Known> = ReturnType<typeof createState<Known>>;

function createState<Known>({ understand, keepsMarks = false }: WordTableOptions<Known>) {
	const known: Known[] = [];
	return {
		understand,
		keepsMarks,
		/** Kind of each UTF-16 code unit. */
		kinds: new Uint8Array(65_536),
		/** Hash table with linear probing. A slot contains a word's number plus one, or 0. */
		slots: new Uint32Array(SLOTS),
		/** `hashes` has the hash of each word, `ends` the end of the word in `characters`. */
		hashes: new Int32Array(MOST_WORDS),
		ends: new Uint32Array(MOST_WORDS),
		characters: new Uint16Array(MOST_CHARACTERS),
		known,
		/** `units` are the zero-terminated code units of `text`; `start`, `end` and `hash` belong to the current word. */
		text: "",
		units: new Uint16Array(0),
		isFolded: false,
		start: 0,
		end: 0,
		hash: 0,
	};
}

/** Caches data about words, because few distinct words make up most of any text. */
export function createWordTable<Known>(options: WordTableOptions<Known>) {
	const state = createState(options);
	for (const joiner of options.joiners) state.kinds[joiner.charCodeAt(0)] = JOINER;
	return {
		/** Data of each word, in order; `undefined` if folding changes the text. */
		read: (text: string) => readAs(state, text, state.keepsMarks),
		readFolded: (text: string) => readAs(state, text, true) ?? [],
	};
}

/** Removes diacritics and compatibility forms. Equals folding each character: only removed marks are reordered. */
export function fold(text: string): string {
	return ASCII.test(text) ? text : text.normalize("NFKD").replace(MARKS, "");
}

function readAs<Known>(state: State<Known>, text: string, isFolded: boolean): Known[] | undefined {
	load(state, text, isFolded);
	const { units } = state;
	const { length } = text;
	const found: Known[] = [];
	for (let at = 0; at < length; ) {
		const kind = kindAt(state, units[at] as number);
		if (kind >= FOLDABLE && !isFolded) return undefined;
		if (kind === LETTER || kind === HALF) readWord(state, at);
		else state.end = at;
		if (state.end > at) found.push(knownOf(state));
		at = Math.max(at + 1, state.end);
	}
	return found;
}

/** Copies the text into an array, whose elements are much faster to read than characters. */
function load<Known>(state: State<Known>, text: string, isFolded: boolean): void {
	if (state.units.length <= text.length) state.units = new Uint16Array(2 * text.length + 1024);
	const { buffer } = state.units;
	Buffer.from(buffer).write(text, "utf16le");
	state.units[text.length] = 0;
	state.text = text;
	state.isFolded = isFolded;
}

/**
 * Reads the word at `start`, which may be empty. A character that must be folded ends the word, because the text
 * is then folded and read again.
 */
function readWord<Known>(state: State<Known>, start: number): void {
	const { units, kinds } = state;
	let hash = HASH_START;
	let at = start;
	for (;;) {
		while (kinds[units[at] as number] === LETTER)
			hash = Math.imul(hash ^ (units[at++] as number), HASH_PRIME);
		const end = endOfMore(state, at);
		if (end === at) break;
		for (; at < end; at++) hash = Math.imul(hash ^ (units[at] as number), HASH_PRIME);
	}
	state.start = start;
	state.end = at;
	state.hash = hash;
}

/** End of the next part of a word: a letter, joiners before a letter, or a surrogate pair. Equals `start` if none. */
function endOfMore<Known>(state: State<Known>, start: number): number {
	const { units } = state;
	const kind = kindAt(state, units[start] as number);
	if (kind === LETTER) return start + 1;
	if (kind === HALF) return state.isFolded && isPair(state.text, start) ? start + 2 : start;
	if (kind !== JOINER) return start;
	let at = start;
	while (kindAt(state, units[at] as number) === JOINER) at++;
	const next = kindAt(state, units[at] as number);
	return next === LETTER || (next === HALF && isPair(state.text, at)) ? at : start;
}

function isPair(text: string, at: number): boolean {
	return LETTER_OR_DIGIT.test(text.slice(at, at + 2));
}

function kindAt<Known>({ kinds, keepsMarks }: State<Known>, unit: number): number {
	const kind = kinds[unit] as number;
	if (kind !== 0) return kind;
	const learned = kindOf(unit, keepsMarks);
	kinds[unit] = learned;
	return learned;
}

function kindOf(code: number, keepsMarks: boolean): number {
	if (code >= 0xd800 && code <= 0xdfff) return HALF;
	const character = String.fromCharCode(code);
	if (keepsMarks) return LETTER_DIGIT_OR_MARK.test(character) ? LETTER : OTHER;
	if (fold(character) !== character) return FOLDABLE;
	return LETTER_OR_DIGIT.test(character) ? LETTER : OTHER;
}

function knownOf<Known>(state: State<Known>): Known {
	const { slots, hashes, known, hash, start, end } = state;
	if (end - start > LONGEST_WORD) return state.understand(state.text.slice(start, end));
	let slot = slotOf(hash);
	for (;;) {
		const word = (slots[slot] as number) - 1;
		if (word < 0) return learnWord(state);
		if (hashes[word] === hash && isWord(state, word)) return known[word] as Known;
		slot = (slot + 1) % SLOTS;
	}
}

function slotOf(hash: number): number {
	return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function isWord<Known>({ ends, characters, units, start, end }: State<Known>, word: number): boolean {
	const from = word === 0 ? 0 : (ends[word - 1] as number);
	if ((ends[word] as number) - from !== end - start) return false;
	for (let index = 0; index < end - start; index++)
		if (characters[from + index] !== units[start + index]) return false;
	return true;
}

function learnWord<Known>(state: State<Known>): Known {
	const { slots, hashes, ends, characters, known, hash, start, end } = state;
	const understood = state.understand(state.text.slice(start, end));
	if (known.length === MOST_WORDS || (ends[known.length - 1] ?? 0) + LONGEST_WORD > MOST_CHARACTERS) {
		known.length = 0;
		slots.fill(0);
	}
	const word = known.push(understood) - 1;
	const from = word === 0 ? 0 : (ends[word - 1] as number);
	characters.set(state.units.subarray(start, end), from);
	hashes[word] = hash;
	ends[word] = from + end - start;
	let slot = slotOf(hash);
	while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
	slots[slot] = word + 1;
	return understood;
}
