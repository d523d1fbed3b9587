import { nameKey } from "./nameWords.ts";
import { createNumbers } from "./numbers.ts";
import { at, createPostings, type Postings, withRoomFor } from "./postings.ts";
import { createTexts } from "./texts.ts";

export interface Name {
	readonly node: number;
	readonly words: readonly string[];
	/** Whether one of its words may stand for it. */
	readonly hasParts: boolean;
}

/** Names, found by their keys and by their words. Each has a number of its own, from 1. */
export interface NameTable {
	readonly size: number;
	add(name: Name): number;
	remove(number: number): void;
	/** The nodes of at most `limit` names with this key, the oldest first. */
	withKey(key: string, limit: number): number[];
	/** The same of a word. */
	withWord(word: string, limit: number): number[];
	/** How many names have this word. */
	frequencyOf(word: string): number;
}

/** In typed arrays: as objects, names would take several times the memory. */
export function createNameTable(): NameTable {
	const texts = createTexts();
	const byKey = createPostings();
	const numbers = createNumbers();
	const parts = createParts();
	let nodes = new Uint32Array(1024);
	let keys = new Uint32Array(1024);
	return {
		get size() {
			return numbers.size;
		},
		add: ({ node, words, hasParts }) => {
			const number = numbers.take();
			nodes = withRoomFor(nodes, number);
			keys = withRoomFor(keys, number);
			nodes[number] = node;
			keys[number] = texts.acquire(nameKey(words));
			byKey.add(at(keys, number), number);
			if (hasParts) parts.add(number, new Set(words.map((word) => texts.acquire(word))));
			return number;
		},
		remove: (number) => {
			byKey.remove(at(keys, number), number);
			texts.release(at(keys, number));
			for (const word of parts.remove(number)) texts.release(word);
			numbers.giveBack(number);
		},
		withKey: (key, limit) => nodesOf(firstOf(byKey, texts.find(key), limit)),
		withWord: (word, limit) => nodesOf(parts.withWord(texts.find(word), limit)),
		frequencyOf: (word) => parts.count(texts.find(word)),
	};

	function nodesOf(names: readonly number[]): number[] {
		return names.map((name) => at(nodes, name));
	}
}

/** At most `limit` rows of a key, the oldest first. */
function firstOf(postings: Postings, key: number, limit: number): number[] {
	const rows: number[] = [];
	let row = postings.first(key);
	for (let left = Math.min(limit, postings.count(key)); left > 0; left--, row = postings.next(row))
		rows.push(row);
	return rows;
}

/** Which words names have, by numbers. A word of a name is a part; the parts of a name hang together. */
function createParts() {
	const byWord = createPostings();
	const parts = createNumbers();
	let firsts = new Uint32Array(1024);
	let names = new Uint32Array(1024);
	let words = new Uint32Array(1024);
	let next = new Uint32Array(1024);
	return {
		add: (name: number, own: Iterable<number>) => {
			firsts = withRoomFor(firsts, name);
			for (const word of own) {
				const part = parts.take();
				names = withRoomFor(names, part);
				words = withRoomFor(words, part);
				next = withRoomFor(next, part);
				[names[part], words[part], next[part]] = [name, word, at(firsts, name)];
				firsts[name] = part;
				byWord.add(word, part);
			}
		},
		/** The words that the name had. */
		remove: (name: number): number[] => {
			const own: number[] = [];
			for (let part = at(firsts, name); part !== 0; part = at(next, part)) {
				own.push(at(words, part));
				byWord.remove(at(words, part), part);
				parts.giveBack(part);
			}
			firsts[name] = 0;
			return own;
		},
		count: (word: number) => byWord.count(word),
		withWord: (word: number, limit: number) => firstOf(byWord, word, limit).map((part) => at(names, part)),
	};
}
