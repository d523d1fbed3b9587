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
	/** Stems of what the question is about, without words that belong only to its form. */
	readonly words: ReadonlySet<string>;
	/** By stem, the stems that follow it in the question; pairs of function words are left out. */
	readonly followers: ReadonlyMap<string, ReadonlySet<string>>;
	/** Whether a text has the expected kind of answer: a number, a date, a name. Absent if no kind is expected. */
	readonly expects?: (text: string) => boolean;
	/** Whether a sentence defines what the question asks about. Absent if it does not ask for a definition. */
	readonly defines?: (sentence: string) => boolean;
	readonly needsKind: boolean;
	/** Whether a heading may have the expected kind of answer. */
	readonly inHeading: boolean;
	/** Words that only name a measure: `how old`. */
	readonly measures: ReadonlySet<string>;
	/** Words of the other questions in the same text. */
	readonly beside: ReadonlySet<string>;
	readonly names: ReadonlySet<string>;
	/** The noun for what is asked for, such as `graphics card`. Empty if it only names a kind: `which year`. */
	readonly focus: ReadonlySet<string>;
	readonly isHow: boolean;
	readonly isWhy: boolean;
	/** Whether the question asks for the current state, so the latest of several dated texts answers. */
	readonly isNow: boolean;
	/** Words in the names of properties that may hold the answer: `date` for `when`. */
	readonly kinds: ReadonlySet<string>;
}

/** Minimum words of one of several questions; with fewer, the words of all apply. */
const FEWEST = 2;

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
		// "… and for how much a month?" says too little alone.
		const words = own.size >= Math.min(FEWEST, parts.length) ? own : all;
		return {
			asked,
			words,
			names,
			beside: all.difference(words),
			focus: words.intersection(language.telling(focusOf(asked, asking))),
			followers: followersIn(part, language),
			kinds: language.telling(kind?.properties ?? ""),
			needsKind: kind?.isNeeded === true,
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

/** The noun for what is asked for; empty if it only names a kind: `which year`. */
function focusOf(asked: string, { focus, kinds }: Asking): string {
	const { own = "", item = own, focus: noun = item } = focus.exec(asked.trim())?.groups ?? {};
	const isKind = kinds.some(({ asked }) =>
		["which", "welche", "quelle"].some((word) => asked.test(`${word} ${noun}`)),
	);
	return isKind ? "" : noun;
}

/** A term in a glossary, with the mark before its meaning: `Saga: …`, `**Saga** – …`. */
const TERM = /^[\s*_>#|+-]*(?<term>[^:–—|]{1,60}?)["”`*_]*\s*(?::|–|—|\||\s-\s)\s/u;

/** An abbreviation with its meaning: `Automatic Train Control (ATC)`. */
const SPELLED_OUT = /(?<long>(?:[\p{L}'’-]{1,30}\s+){1,10})\((?<short>\p{Lu}{2,8})s?\)/gu;

/** Whether a sentence defines the words: its term has at most one more (`A duress PIN is …`), or it spells them out. */
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
			// "Department of Energy (DOE)", "Terms of Service (TS)"
			const isMeant = [1, 4].some((shortest) => initialsOf(shortest).join("").toUpperCase().endsWith(short));
			return isMeant && words.symmetricDifference(telling(short)).size === 0;
		});
	}
}

/** Capitalized words after the first. Where all nouns are capitalized, only several in a row. */
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

/** Numbers of items, headings, notes and laws are no amounts. */
const NUMBERING = /^\s*\(?\d{1,3}[.)](?=\s)|(?<=\S)\[\^?\d{1,3}\]|§+ ?\d+\p{L}?/gmu;

/** Matches the expected kind, but not in words that the question itself has. */
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
	/** The text before a value: `Attendant of Gannet Rock Light`. */
	lead(property: string, thing: string): string;
	/** The stems of properties that a word can ask for: its own and those of related properties. */
	askedFor(stem: string): readonly string[];
}

const ASKING: Readonly<Partial<Record<Language, Asking>>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };

/** Property names are mostly English, so other languages quote them instead of building a phrase. */
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

/** The term that a question asks to define, such as `kube-proxy`; empty for any other question. */
export function definedBy(question: string): string {
	const { definition } = grammarOf(question, "").asking;
	const text = question.trim().replace(/[\s?.!]+$/, "");
	const [opening = ""] = definition.exec(text) ?? [];
	if (opening === "") return "";
	const rest = text.slice(opening.length).trim();
	return rest.replace(/^(?:an?|the|eine?|der|die|das|une?|le|la|l['’])(?:\s+|(?<=['’]))/i, "");
}

/** Whether one of the texts defines the term that a question asks about: `Kamal is a tool that …`. */
export function isDefinedIn(question: string, texts: readonly string[]): boolean {
	const [first] = readQuestions(question, grammarOf(question, ""));
	return texts.some((text) => first?.defines?.(text) === true);
}

/** The grammar of the question's language, else of the found texts' language, else English. */
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
