import { languageOf } from "../../base/language/detect.ts";
import type { Language } from "../../base/language/languages.ts";
import type { Asking } from "./asking/asking.ts";
import { ENGLISH } from "./asking/english.ts";
import { FRENCH } from "./asking/french.ts";
import { GERMAN } from "./asking/german.ts";
import { type Words, wordsIn } from "./words.ts";

export interface Grammar {
	readonly language: Language;
	readonly words: Words;
	readonly asking: Asking;
	/** What a value is said of: `Attendant of Gannet Rock Light`. */
	lead(property: string, thing: string): string;
	/** The stems of properties that a word of a question can ask for: its own, and others. */
	askedFor(stem: string): readonly string[];
}

const ASKING: Readonly<Partial<Record<Language, Asking>>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };

/** The names of properties are the data's, mostly in English: elsewhere they are quoted, not made a part of a sentence. */
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

const known = new Map<Language, Grammar>();

export function isOverview(question: string): boolean {
	return Object.values(ASKING).some(({ overview }) => overview.test(question.trim()));
}

/** What a question is about that asks what something is: `kube-proxy`; empty for any other question. */
export function definedBy(question: string): string {
	const { definition } = grammarOf(question, "").asking;
	const text = question.trim().replace(/[\s?.!]+$/, "");
	const [opening = ""] = definition.exec(text) ?? [];
	const rest = text.slice(opening.length).trim();
	return opening === ""
		? ""
		: rest.replace(/^(?:an?|the|eine?|der|die|das|une?|le|la|l['’])(?:\s+|(?<=['’]))/i, "");
}

/** In the language of the question, else in that of the texts that were found for it, else in English. */
export function grammarOf(question: string, texts: string): Grammar {
	const language = languageOf(question) ?? languageOf(texts) ?? "en";
	const grammar = known.get(language) ?? createGrammar(language);
	known.set(language, grammar);
	return grammar;
}

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
