import { at, createNumbers, withRoomFor } from "./postings.ts";

/** Numbers for texts, from 1; 0 stands for "no text". One that nothing refers to any more gives its number back. */
export interface Texts {
	/** The number of a text, with so many more references to it. */
	acquire(text: string, references?: number): number;
	/** One more reference to what has a number. */
	retain(number: number): void;
	release(number: number, references?: number): void;
	/** The number of a known text; 0 for any other. */
	find(text: string): number;
	textOf(number: number): string;
}

export function createTexts(): Texts {
	const known = new Map<string, number>();
	const texts: string[] = [""];
	const numbers = createNumbers();
	let counts = new Uint32Array(1024);

	const add = (text: string): number => {
		const number = numbers.take();
		texts[number] = text;
		known.set(text, number);
		counts = withRoomFor(counts, number);
		return number;
	};
	return {
		acquire: (text, references = 1) => {
			const number = known.get(text) ?? add(text);
			counts[number] = at(counts, number) + references;
			return number;
		},
		retain: (number) => {
			counts[number] = at(counts, number) + 1;
		},
		release: (number, references = 1) => {
			counts[number] = at(counts, number) - references;
			if (at(counts, number) > 0) return;
			known.delete(texts[number] ?? "");
			texts[number] = "";
			numbers.giveBack(number);
		},
		find: (text) => known.get(text) ?? 0,
		textOf: (number) => texts[number] ?? "",
	};
}
