import { memoize } from "../../base/jobs/lazily.ts";
import { languageOf } from "../../base/language/detect.ts";
import type { Language } from "../../base/language/languages.ts";
import type { Asking } from "./asking/asking.ts";
import { ENGLISH } from "./asking/english.ts";
import { FRENCH } from "./asking/french.ts";
import { GERMAN } from "./asking/german.ts";
import { type Words, wordsIn } from "./words.ts";

export interface Question {
	readonly asked: string;
	/** Stems of the topic's words, without words that belong only to the form of the question. */
	readonly words: ReadonlySet<string>;
	/** The stems that follow each stem in the question, without pairs of function words. */
	readonly followers: ReadonlyMap<string, ReadonlySet<string>>;
	/** Whether a text has the expected kind of answer, such as a date. Absent if any kind is possible. */
	readonly expects?: (text: string) => boolean;
	/** Whether a sentence defines the term in question. Absent if the question asks for no definition. */
	readonly defines?: (sentence: string) => boolean;
	readonly needsKind: boolean;
	readonly inHeading: boolean;
	/** Words that only name a measure, such as "old" in "how old". */
	readonly measures: ReadonlySet<string>;
	/** Stems of the other questions in the text. */
	readonly beside: ReadonlySet<string>;
	readonly names: ReadonlySet<string>;
	/** Stems of the noun asked for, such as "graphics card"; empty if the noun only names a kind: "which year". */
	readonly focus: ReadonlySet<string>;
	readonly isHow: boolean;
	readonly isWhy: boolean;
	/** Whether the question asks for the current state, so that the latest of several dated texts answers. */
	readonly isNow: boolean;
	/** Words in the names of properties that may have the answer: "date" for "when". */
	readonly kinds: ReadonlySet<string>;
}

/** A question with fewer words also gets the words of the other questions in the text. */
const FEWEST_OWN_WORDS = 2;

/** Reads the questions in a text, usually one. `about` is the topic of the conversation. */
export function readQuestions(text: string, { words: language, asking }: Grammar, about?: string) {
	const idle = language.telling(asking.idle);
	const tellingOf = (part: string) => {
		const all = language.telling(part);
		const telling = all.difference(idle);
		return telling.size > 0 ? telling : all;
	};
	const parts = text.replace(asking.counted, "$1").split(asking.second);
	const all = tellingOf(about === undefined ? text : `${about} ${text}`);
	const names = all
		.intersection(language.telling(namesIn(text, asking)))
		.difference(language.telling(asking.days));
	return parts.map((asked): Question => {
		const part = asked.replace(asking.extent, "$1");
		const kind = asking.kinds.find((each) => each.asked.test(asked));
		const own = tellingOf(part);
		// "… and for how much a month?" has too few words to find anything.
		const words = own.size >= Math.min(FEWEST_OWN_WORDS, parts.length) ? own : all;
		return {
			asked,
			words,
			names,
			beside: all.difference(words),
			focus: words.intersection(language.telling(focusOf(asked, asking))),
			followers: followersIn(part, language),
			kinds: language.telling(kind?.properties ?? ""),
			needsKind: kind !== undefined && !kind.isWhy && !kind.isOptional,
			inHeading: kind?.inHeading === true,
			measures: language.telling([...asked.matchAll(asking.measure)].map(([, word]) => word).join(" ")),
			isHow: asking.steps.test(asked),
			isWhy: kind?.isWhy === true,
			isNow: asking.now.test(asked),
			...(kind && { expects: expecting(kind.found, part) }),
			...(asking.definition.test(asked.trim()) && { defines: defining(words, language, asking) }),
		};
	});
}

function focusOf(asked: string, { focus, kinds }: Asking): string {
	const { own = "", item = own, focus: noun = item } = focus.exec(asked.trim())?.groups ?? {};
	const isKind = kinds.some(({ asked }) =>
		["which", "welche", "quelle"].some((word) => asked.test(`${word} ${noun}`)),
	);
	return isKind ? "" : noun;
}

/** A term in a glossary, with the mark before the definition: `Saga: …`, `**Saga** – …`. */
const TERM = /^[\s*_>#|+-]*(?<term>[^:–—|]{1,60}?)["”`*_]*\s*(?::|–|—|\||\s-\s)\s/u;

/** An abbreviation after the words that it abbreviates: `Automatic Train Control (ATC)`. */
const SPELLED_OUT = /(?<long>(?:[\p{L}'’-]{1,30}\s+){1,10})\((?<short>\p{Lu}{2,8})s?\)/gu;

/** Returns a test of whether a sentence defines the words as a term ("A duress PIN is …") or as an abbreviation. */
function defining(words: ReadonlySet<string>, { telling }: Words, { isA }: Asking) {
	return (sentence: string) => {
		const { term = "" } = (isA.exec(sentence) ?? TERM.exec(sentence))?.groups ?? {};
		const told = telling(term);
		return (words.isSubsetOf(told) && told.size <= words.size + 1) || spellsOut(sentence);
	};

	function spellsOut(sentence: string): boolean {
		return sentence.matchAll(SPELLED_OUT).some(({ groups: { long = "", short = "" } = {} }) => {
			const initialsOf = (shortest: number) =>
				(long.match(/\p{L}+/gu) ?? []).filter(({ length }) => length >= shortest).map(([first]) => first);
			// An abbreviation may keep short words ("Department of Energy (DOE)") or omit them ("Terms of Service (TS)").
			const isMeant = [1, 4].some((shortest) => initialsOf(shortest).join("").toUpperCase().endsWith(short));
			return isMeant && words.symmetricDifference(telling(short)).size === 0;
		});
	}
}

/** Capitalized words except the first word. If a language capitalizes all nouns, only sequences of such words. */
function namesIn(text: string, { capitalizesNouns = false }: Asking): string {
	const words = capitalizesNouns
		? /(?<=\S\s+)\p{Lu}[\p{L}\p{N}]+(?:\s+\p{Lu}[\p{L}\p{N}]+)+/gu
		: /(?<=\S\s+)\p{Lu}[\p{L}\p{N}]+/gu;
	return [...text.matchAll(words)].join(" ");
}

function followersIn(text: string, { read, isTelling }: Words): ReadonlyMap<string, ReadonlySet<string>> {
	const stems = read(text).map(({ stem }) => stem);
	const followers = new Map<string, Set<string>>();
	for (const [index, stem] of stems.slice(1).entries()) {
		const before = stems[index] ?? "";
		if (!isTelling(stem) && !isTelling(before)) continue;
		followers.set(before, (followers.get(before) ?? new Set()).add(stem));
	}
	return followers;
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** Numbers of items, headings, notes, laws and issues, which are not amounts. */
const NUMBERING = /^\s*\(?\d{1,3}[.)](?=\s)|(?<=\S)\[\^?\d{1,3}\]|§+ ?\d+\p{L}?|(?<!\p{L})#\d+/gmu;

/** Returns a test for the expected kind of answer, ignoring words of the question itself. */
function expecting(found: RegExp, asked: string): (text: string) => boolean {
	const said = new Set(asked.toLowerCase().match(WORD));
	const without = (text: string) => text.replace(WORD, (word) => (said.has(word.toLowerCase()) ? "" : word));
	return (text) => {
		const told = text.replace(NUMBERING, "");
		return found.test(told) && found.test(without(told));
	};
}

export interface Grammar {
	readonly language: Language;
	readonly words: Words;
	readonly asking: Asking;
	/** The text to show before a value: `Attendant of Gannet Rock Light`. */
	lead(property: string, thing: string): string;
	/** The stems of properties that a word can ask for, including the word itself. */
	askedFor(stem: string): readonly string[];
}

const ASKING: Readonly<Partial<Record<Language, Asking>>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };

/** Names of properties are mostly English, so that only English can form a phrase with them. */
const LEADS: Readonly<Partial<Record<Language, Grammar["lead"]>>> = {
	en: (property, thing) =>
		/(?:s|ed|\b(?:for|of|in|by|to|at|on|from|with|about))$/.test(property)
			? `${thing}, ${property}`
			: `${property.charAt(0).toUpperCase()}${property.slice(1)} of ${thing}`,
	de: (property, thing) => `${thing}, „${property}“`,
	fr: (property, thing) => `${thing}, « ${property} »`,
};

function quotedLead(property: string, thing: string): string {
	return `${thing}, “${property}”`;
}

export function isOverview(question: string): boolean {
	return Object.values(ASKING).some(({ overview }) => overview.test(question.trim()));
}

/** The term that the question asks to define, such as `kube-proxy`; empty if the question asks for something else. */
export function definedBy(question: string): string {
	const { definition } = grammarOf(question, "").asking;
	const text = question.trim().replace(/[\s?.!]+$/, "");
	const [opening = ""] = definition.exec(text) ?? [];
	if (opening === "") return "";
	const rest = text.slice(opening.length).trim();
	return rest.replace(/^(?:an?|the|eine?|der|die|das|une?|le|la|l['’])(?:\s+|(?<=['’]))/i, "");
}

export function isDefinedIn(question: string, texts: readonly string[]): boolean {
	const [first] = readQuestions(question, grammarOf(question, ""));
	return texts.some((text) => first?.defines?.(text) === true);
}

/** The grammar of the question's language or, if that is unknown, of the texts' language, else English. */
export function grammarOf(question: string, texts: string): Grammar {
	return grammarIn(languageOf(question) ?? languageOf(texts) ?? "en");
}

const grammarIn = memoize(createGrammar);

function createGrammar(language: Language): Grammar {
	const words = wordsIn(language);
	const asking = ASKING[language] ?? ENGLISH;
	const relations = new Map<string, readonly string[]>();
	const stems = (text: string) => words.read(text).map(({ stem }) => stem);
	for (const [questions, properties] of Object.entries(asking.relations))
		for (const stem of stems(questions)) relations.set(stem, [stem, ...stems(properties)]);
	return {
		language,
		words,
		asking,
		lead: LEADS[language] ?? quotedLead,
		askedFor: (stem) => relations.get(stem) ?? [stem],
	};
}
