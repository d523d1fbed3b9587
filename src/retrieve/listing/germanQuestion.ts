import { stemOf } from "../../base/language/stems.ts";
import { wordList } from "../../base/words/wordList.ts";
import { nameKey, nameWords } from "../../graph/facts/labels.ts";
import { isAkin, isFunctionWord } from "../entities/questionWords.ts";
import { limitsIn, ordered } from "./limits.ts";
import type { Form } from "./task.ts";
import type { Vocabulary } from "./vocabulary.ts";

const BARE =
	/^(?!(?:we[rmns]|wessen|was|wann|wo|wohin|woher|warum|wieso|wie|welche[rsmn]?|ist|sind|war|hat|haben|kann|darf|muss|soll|gibt|who|whom|whose|what|which|when|where|why|how|is|are|do|does|did|can) )(?:alle )?(?:(?:die|der|das|unsere?) )?/;

/** Openings of German questions. "Welche" may also ask for one thing, so the noun after it must be a plural. */
const OPENINGS: readonly (Pick<Form, "isCount" | "needsPlural" | "isBare" | "isOpen" | "isWho"> & {
	readonly opening: RegExp;
	readonly needsOrder?: true;
})[] = [
	{ opening: /^(?:und )?wie viele (?:verschiedene )?/, isCount: true },
	{ opening: /^(?:bitte )?(?:nenne?|liste|zeige?)(?: mir| uns)?(?: bitte)? alle (?:unsere )?/ },
	{ opening: /^(?:welche[rsmn]?|was|wer) (?:(?:ist|sind|war|waren) )?(?:der |die |das )?/, needsOrder: true },
	{ opening: /^welche /, needsPlural: true },
	{ opening: /^(?:was|wer) /, isOpen: true },
	{ opening: /^wer (?:(?:ist|sind|war|waren|hat|haben) )?/, isWho: true, needsOrder: true },
	{ opening: /^wer (?:(?:ist|sind|war|waren|hat|haben) )?/, isWho: true },
	{ opening: BARE, isBare: true, needsOrder: true },
	{ opening: BARE, isBare: true },
];

/** German function words with their English equivalents. All other words must be in the graph. */
export const GRAMMAR: ReadonlyMap<string, string> = new Map(
	Object.entries({
		are: "sind gibt gab ist findet finden fand fanden",
		there: "es da",
		were: "war waren wurde wurden worden",
		have: "haben hat hatten hatte",
		the: "der die das den dem des",
		a: "ein eine einen einem einer",
		in: "in im am",
		on: "auf",
		of: "von vom",
		as: "als",
		and: "und",
		but: "aber",
		or: "oder",
		not: "nicht",
		no: "kein keine keinen",
		with: "mit",
		for: "fur",
		our: "unsere unser",
		without: "ohne",
		we: "wir",
		still: "noch",
		lie: "liegt liegen",
	}).flatMap(([english, german]) => wordList(german).map((word) => [word, english] as const)),
);

/** Endings of German plurals. Only nouns in `WITH_ER` may add "er": `Drucker` is not the plural of `Druck`. */
const PLURALS = ["e", "n", "en", "s", "nen", ""];
const WITH_ER =
	/(?:buch|haus|land|kind|bild|feld|lied|wort|mann|rad|dorf|wald|glied|blatt|fach|kleid|amt|band|gut|volk)$/;

const PLURAL_VERB = /^(?:sind|\p{L}{2,}(?:en|ern|eln))$/u;

function isPluralAuxiliary(word: string): boolean {
	return /^(?:sind|waren|haben|hatten|werden|wurden)$/.test(word);
}

function hasPluralVerb(next: string, words: readonly string[]): boolean {
	return PLURAL_VERB.test(next) || next === "gibt" || words.some(isPluralAuxiliary);
}

/** After "welche", a singular is feminine, and feminine singulars do not end in "en", "ln" or "rn". */
function isSurelyPlural(noun: string): boolean {
	return /[elr]n$/.test(noun) || (noun.endsWith("er") && WITH_ER.test(noun.slice(0, -2)));
}

const LONGEST_NOUN = 4;

const SHORTEST_VALUE = 3;

const WRITING = wordList("autor verfass verfasst geschrieb schreib");

/** Forms of a German question in English grammar, with the graph's names; empty if its opening or class is unknown. */
export function germanFormsOf(
	question: string,
	vocabulary: Vocabulary,
	namedIn: (words: readonly string[]) => (index: number) => boolean,
): Form[] {
	const { limits, rest } = limitsIn(question);
	// Drops the prefix of a separable verb: "finden am Montag statt".
	const all = nameWords(rest.replace(/\bstatt\W*$/i, ""));
	return OPENINGS.flatMap(({ opening, needsPlural = false, needsOrder, ...form }) => {
		const [begin] = opening.exec(all.join(" ")) ?? [];
		if (begin === undefined) return [];
		const after = all.slice(begin.split(" ").filter(Boolean).length);
		const asked: Pick<Form, "words" | "order"> | undefined = needsOrder ? ordered(after) : { words: after };
		const noun = asked && (isOfAnything(form) ? NO_NOUN : nounIn(asked.words, needsPlural, vocabulary));
		if (!noun) return [];
		const isNamed = namedIn(asked.words);
		const told = asked.words.map((word, index) =>
			isNamed(index)
				? word
				: (GRAMMAR.get(word) ?? inflectedValue(word, vocabulary) ?? ownWord(word, vocabulary)),
		);
		const words = told.toSpliced(noun.start, noun.length, ...noun.name);
		return [{ ...asked, ...form, words, limits, isByData: true }];
	});
}

function isOfAnything({ isOpen, isWho }: Pick<Form, "isOpen" | "isWho">): boolean {
	return isOpen === true || isWho === true;
}

const NO_NOUN = { start: 0, length: 0, name: [] };

const MOST_ADJECTIVES = 2;

function nounIn(words: readonly string[], needsPlural: boolean, vocabulary: Vocabulary) {
	for (let start = 0; start <= MOST_ADJECTIVES; start++) {
		const noun = nounAt(words.slice(start), needsPlural, vocabulary);
		if (noun) return { start, ...noun };
	}
	return undefined;
}

/** Number of words that name a class, and the class's name; `undefined` if no class or several fit. */
function nounAt(words: readonly string[], needsPlural: boolean, vocabulary: Vocabulary) {
	for (let length = Math.min(LONGEST_NOUN, words.length); length > 0; length--) {
		const own = words.slice(0, length);
		const next = words[length] ?? "";
		const isPlural = !needsPlural || hasPluralVerb(next, words) || isSurelyPlural(own.at(-1) ?? "");
		const found = calledBy(keysOfMany(nameKey(own), { isPlural, needsPlural }), vocabulary);
		if (new Set(found.map(([node]) => node)).size > 1) return undefined;
		const [first = own.join() === "aufgaben" && BOXES] = found;
		if (first) return { length, name: first[1] };
	}
	return undefined;
}

/** All check boxes, as a class without a node in the graph. */
const BOXES: readonly [node: number, name: readonly string[]] = [0, ["tasks"]];

function calledBy(keys: readonly string[], vocabulary: Vocabulary) {
	const classes = vocabulary.classesKeyed(keys);
	// In "welche Kostenart", a column represents its rows.
	return classes.length > 0 ? classes : vocabulary.propertiesKeyed(keys);
}

/** Keys of names of which `many` may be the plural or, if the question may ask for one thing, the singular. */
function keysOfMany(
	many: string,
	{ isPlural, needsPlural }: { readonly isPlural: boolean; readonly needsPlural: boolean },
): string[] {
	if (many === "") return [];
	const ones = PLURALS.filter((end) => many.endsWith(end)).map((end) =>
		many.slice(0, many.length - end.length),
	);
	const ofEr = many.endsWith("er") && WITH_ER.test(many.slice(0, -2)) ? [many.slice(0, -2)] : [];
	const more = PLURALS.map((end) => many + end);
	const pluralOfOne = WITH_ER.test(many) ? [...more, `${many}er`] : more;
	const all = new Set([...ones, ...ofEr, ...(needsPlural ? [] : pluralOfOne)]);
	if (!isPlural) all.delete(many);
	all.delete("");
	return [...all];
}

function inflectedValue(word: string, { valuesNamed }: Vocabulary): string | undefined {
	const bare = word.replace(/e[mnrs]?$/, "");
	const isInflected = bare.length >= SHORTEST_VALUE && bare !== word && valuesNamed([word]).length === 0;
	return isInflected && valuesNamed([bare]).length > 0 ? bare : undefined;
}

/** The related word in a property's name, else the word, with "·" before a word that is a function word in English. */
function ownWord(word: string, vocabulary: Vocabulary): string {
	const stem = stemOf(word, "de");
	const isSame = (own: string) => {
		const other = stemOf(own, "de");
		return isAkin(stem, other) || (WRITING.includes(stem) && WRITING.includes(other));
	};
	const found = [...vocabulary.propertyWords()].find((own) => !isFunctionWord(own) && isSame(own));
	return found ?? (isFunctionWord(word) ? `·${word}` : word);
}
