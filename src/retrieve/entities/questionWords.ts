import { englishStem } from "../../base/language/englishStem.ts";
import { wordList, wordSet } from "../../base/words/wordList.ts";

/** Words that name nothing, because they are in questions on any topic. */
const FUNCTION_WORDS = wordSet(`
	a about all also an and any are as at be been by can could did do does for from get give had has have how
	i if in into is it its list me more most my name no not of on or our out s she he show so some t tell than that the
	their them there these they this those to up us was we were what when where which who whom whose why will with
	would you your many much number count
`);

export function isFunctionWord(word: string): boolean {
	return FUNCTION_WORDS.has(word);
}

/** Irregular plurals, which the stemmer does not reduce to the singular. */
const PLURALS: Readonly<Record<string, string>> = {
	people: "person",
	children: "child",
	men: "man",
	women: "woman",
	analyses: "analysis",
	criteria: "criterion",
	indices: "index",
	matrices: "matrix",
	gases: "gas",
	buses: "bus",
};

/** Replaces a plural at the end with the singular: "sensor switches" becomes "sensor switch". */
export function toSingular(words: readonly string[]): string[] {
	const last = words.at(-1) ?? "";
	if (!last.endsWith("s") && !(last in PLURALS)) return [...words];
	const singular =
		PLURALS[last] ??
		last
			.replace(/(?<=..)ies$/, "y")
			.replace(/(?<=x|ch|sh|ss)es$/, "")
			.replace(/(?<=[^su])s$/, "");
	return [...words.slice(0, -1), singular];
}

/** Minimum length of a stem that counts as the beginning of another stem: `expert` and `expertis`. */
const SHORTEST_SHARED = 5;

const SHORTEST_ROOT = 4;

/** Groups of synonymous stems: a question may use one and a vocabulary another. */
const SAME = sameByStem([
	"requir depend need prerequisit",
	"author write wrote written creator",
	"work member employ",
	"know knew known",
	"make made maker",
	"lead led leader",
	"teach taught",
	"born birth birthplac",
	"locat citi town place live wohn ort wohnort",
	"made materi",
	"sell sold seller",
	"buy bui bought buyer",
	"hold held holder",
	"build built bau gebaut baujahr",
	"win won winner",
	"speak spoke spoken",
	"pay pai paid",
	"send sent",
	"take took taken",
	"give gave given",
	"draw drew drawn",
	"drive drove driven driver",
	"leav left",
	"meet met",
	"run ran runner",
	"own owner",
	"keep kept keeper",
]);

function sameByStem(groups: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
	const stems = groups.map(wordList);
	return new Map(
		stems.flat().map((stem) => [stem, new Set(stems.filter((all) => all.includes(stem)).flat())]),
	);
}

/** British endings of stems and their American forms: `colour`, `licenc`, `centr`, `analys`, `organis`. */
const BRITISH: readonly (readonly [end: RegExp, american: string])[] = [
	[/our$/, "or"],
	[/enc$/, "ens"],
	[/(?<=[tb])r$/, "er"],
	[/(?<=[iy])s$/, "z"],
];

function american(stem: string): string {
	const [end, other = ""] = BRITISH.find(([british]) => british.test(stem)) ?? [];
	return end ? stem.replace(end, other) : stem;
}

/** Whether two stems belong to the same word, or one word derives from the other. */
export function isOfOne(stem: string, other: string): boolean {
	const [short, long] = stem.length < other.length ? [stem, other] : [other, stem];
	if (short === long || (short.length >= SHORTEST_SHARED && long.startsWith(short))) return true;
	if (isParticipleOf(stem, other) || isParticipleOf(other, stem)) return true;
	return (
		short.length >= SHORTEST_SHARED &&
		short.slice(0, 3) === long.slice(0, 3) &&
		american(short) === american(long)
	);
}

/** Whether a stem is a German participle of a noun: "bestellt" of `Bestellung`, but not "planet" of `Plan`. */
function isParticipleOf(stem: string, noun: string): boolean {
	const root = noun.replace(/ung$/, "");
	const begins = root === noun ? [`ge${root}`] : [`ge${root}`, root];
	const begin = begins.find((own) => root.length >= SHORTEST_ROOT && stem.startsWith(own));
	return begin !== undefined && /^(?:e?t|en)$/.test(stem.slice(begin.length));
}

/** Whether two stems belong to related words or synonyms. */
export function isAkin(stem: string, other: string): boolean {
	return isOfOne(stem, other) || SAME.get(stem)?.has(other) === true;
}

const TOPICS = wordList(
	"about topic subject theme mention concern keyword categori tag depict discuss describ",
);

export function isOfTopic(name: readonly string[]): boolean {
	return name.some((word) => TOPICS.includes(englishStem(word)));
}

/** Whether `own` has all words of the name, ignoring function words and inflection. */
export function isWhollySaid(name: readonly string[], own: readonly string[]): boolean {
	const telling = name.filter((word) => !isFunctionWord(word));
	return telling.length > 0 && telling.every((word) => isSaidBy([word], own));
}

/** Prefers properties whose whole name the question has: "manages" means `manager`, not `productManager`. */
export function whollySaidAmong(
	predicates: readonly number[],
	words: readonly string[],
	namesOf: (predicate: number) => readonly (readonly string[])[],
): readonly number[] {
	const isWhole = (predicate: number) => namesOf(predicate).some((name) => isWhollySaid(name, words));
	const whole = predicates.filter(isWhole);
	return whole.length > 0 ? whole : predicates;
}

/** Whether `words` have at least one word of the name, ignoring inflection. */
export function isSaidBy(name: readonly string[], words: readonly string[]): boolean {
	const stems = words.filter((word) => !isFunctionWord(word)).map(englishStem);
	return name.map(englishStem).some((own) => stems.some((stem) => isAkin(stem, own)));
}
