import { STOP_WORDS } from "../base/stopWords.ts";

/** A run of words with capital letters. */
export interface WrittenName {
	readonly written: string;
	/** Those that tell something. */
	readonly words: readonly string[];
}

const CAPITALIZED = "\\p{Lu}[\\p{L}\\p{M}\\p{N}]*(?:['’.-][\\p{L}\\p{M}\\p{N}]+)*\\.?(?:['’](?!\\p{L}))?";
const WORD = new RegExp(`(?<![\\p{L}\\p{N}])${CAPITALIZED}`, "gu");
const JOINT = /^(?:[\s-]+(?:(?:of|the|de|la|le|van|von|der|den|du|di|da|del|and the)\s+)*|\s*&\s*)$/;
/** After these a capital letter says nothing. */
const BEGINNING = /(?:^|[.!?:;…]\s*|[–—]\s*|[("“„«‘•|]|\n)\s*["“„«‘(*_]*$/u;

const MONTHS = "january february march april may june july august september october november december";
const DAYS = "monday tuesday wednesday thursday friday saturday sunday";
const TITLES = "mr mrs ms miss dr prof professor sir madam lord lady captain president director chief";
const PARTS =
	"section sections chapter figure table page pages line lines part step note notes source sources yes no";
const LINKS =
	"however also according see both since although though thus therefore finally overall additionally";
const COMMON: ReadonlySet<string> = new Set([
	...STOP_WORDS,
	...`${MONTHS} ${DAYS} ${TITLES} ${PARTS} ${LINKS}`.split(" "),
]);
const ROMAN = /^[IVX]+$/;
/** What begins a sentence and ends like this is seldom part of a name. */
const ORDINARY_ENDING = /(?:ing|ly|ed|ers)$/;

/** Names in a sentence. One word at its beginning, or after a colon, may be any word. */
export function namesIn(text: string): WrittenName[] {
	return runsIn(text).flatMap((run) => {
		const [first] = run;
		const begins = first !== undefined && BEGINNING.test(text.slice(0, first.index));
		const words = run.filter(({ word }, index) => tells(word, begins && index === 0));
		if (words.length === 0 || (begins && run.length === 1)) return [];
		const from = words[0]?.index ?? 0;
		const last = words.at(-1);
		const written = text.slice(from, (last?.index ?? 0) + (last?.word.length ?? 0)).replace(/[.'’]+$/, "");
		return { written, words: words.map(({ word }) => bare(word)) };
	});
}

/** A word without its possessive and the stop of an abbreviation. */
function bare(word: string): string {
	return word.replace(/['’]s?$/, "").replace(/\.$/, "");
}

function tells(word: string, begins: boolean): boolean {
	const plain = bare(word);
	if (COMMON.has(plain.toLowerCase()) || ROMAN.test(plain) || /\d/.test(plain)) return false;
	return !(begins && ORDINARY_ENDING.test(plain));
}

interface PlacedWord {
	readonly word: string;
	readonly index: number;
}

function runsIn(text: string): PlacedWord[][] {
	const runs: PlacedWord[][] = [];
	let end = -1;
	for (const { 0: found, index } of text.matchAll(WORD)) {
		// A stop that ends the sentence is none of the name.
		const word = isAbbreviated(found) ? found : found.replace(/\.$/, "");
		const run = runs.at(-1);
		if (run && JOINT.test(text.slice(end, index))) run.push({ word, index });
		else runs.push([{ word, index }]);
		end = index + word.length;
	}
	return runs;
}

function isAbbreviated(word: string): boolean {
	return /^\p{Lu}\p{L}{0,4}\.$/u.test(word) || /\.\p{L}+\.$/u.test(word);
}
