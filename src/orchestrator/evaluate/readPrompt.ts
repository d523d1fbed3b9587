import { stemmer } from "stemmer";
import { STOP_WORDS } from "../../base/words/stopWords.ts";
import {
	ACTIONS,
	BROAD_WORDS,
	CONCERNS,
	CONSTRAINTS,
	MANNERS,
	PRONOUNS,
	QUESTION_WORDS,
	VAGUE_WORDS,
} from "./lexicon.ts";

export interface Word {
	readonly text: string;
	readonly stem: string;
}

export interface PromptFacts {
	readonly words: readonly Word[];
	/** Paths and names of files. */
	readonly places: readonly string[];
	readonly names: readonly string[];
	/** Words that name what it is about: no action, no broad or vague word. */
	readonly subjects: readonly Word[];
	readonly actions: readonly string[];
	readonly broad: readonly string[];
	readonly vague: readonly string[];
	readonly hasConcern: boolean;
	readonly hasConstraint: boolean;
	readonly isQuestion: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Characters; what is longer is data, not a name. */
const LONGEST_NAME = 200;

const PATH = /^\.{0,2}\/?(?:[\w@.-]+\/)+[\w@.-]*$/;
const FILE = /^[\w-][\w.-]*\.[a-z][a-z0-9]{0,7}$/i;
const CODE = /^\w+\(\)?\)?$|^[a-z]+\d*[A-Z]\w*$|^(?:[A-Z][a-z0-9]+){2,}$|^[a-z]\w*_\w+$|^\w+(?:::|#)\w+$/;

/** Words that look like a path or a file but are not. */
const NO_PLACES: ReadonlySet<string> = new Set([
	"and/or",
	"read/write",
	"input/output",
	"client/server",
	"yes/no",
]);
const ABBREVIATION = /^(?:[a-z]\.)+[a-z]?$/i;

export function readPrompt(prompt: string): PromptFacts {
	const tokens = prompt
		.split(/\s+/)
		.filter((token) => token.length <= LONGEST_NAME)
		.map(bare);
	const places = tokens.filter(isPlace);
	const names = tokens.filter((token) => !isPlace(token) && CODE.test(token));
	const words = tokens
		.filter((token) => !places.includes(token))
		.flatMap((token) => token.toLowerCase().match(WORD) ?? [])
		.map((text) => ({ text, stem: stemmer(text) }));
	const stems = words.filter(({ text }) => !VAGUE_WORDS.has(text)).map(({ stem }) => stem);
	return {
		words,
		places: [...new Set(places)],
		names: [...new Set(names)],
		subjects: subjectsIn(words),
		actions: [...new Set(stems.filter((stem) => ACTIONS.has(stem)))],
		broad: broadIn(words),
		vague: vagueIn(words),
		hasConcern: stems.some((stem) => CONCERNS.has(stem)) || namesPurpose(words),
		hasConstraint: words.some(({ text }) => CONSTRAINTS.has(text)),
		isQuestion: prompt.trim().endsWith("?") || QUESTION_WORDS.has(words[0]?.text ?? ""),
	};
}

/** Without the punctuation and the marks around it. */
function bare(token: string): string {
	return token.replace(/^[^\p{L}\p{N}./@_#]+/u, "").replace(/(?:[^\p{L}\p{N}/_)]|(?<!\()\))+$/u, "");
}

function isPlace(token: string): boolean {
	const known = token.toLowerCase();
	if (NO_PLACES.has(known) || ABBREVIATION.test(known)) return false;
	return PATH.test(token) || FILE.test(token);
}

function subjectsIn(words: readonly Word[]): Word[] {
	const isSubject = ({ text, stem }: Word) =>
		text.length > 1 &&
		![STOP_WORDS, MANNERS, QUESTION_WORDS, VAGUE_WORDS].some((known) => known.has(text)) &&
		![ACTIONS, BROAD_WORDS, CONCERNS].some((known) => known.has(stem));
	return [...new Map(words.filter(isSubject).map((word) => [word.stem, word])).values()];
}

function broadIn(words: readonly Word[]): string[] {
	return [...new Set(words.filter(({ stem }) => BROAD_WORDS.has(stem)).map(({ text }) => text))];
}

/** Vague words, and pronouns without a noun: `this function` names something. */
function vagueIn(words: readonly Word[]): string[] {
	const isLoose = ({ text }: Word, index: number) => {
		if (!PRONOUNS.has(text)) return false;
		const next = words[index + 1];
		const before = words.slice(0, index);
		if (next && text !== "it" && text !== "them" && !STOP_WORDS.has(next.text)) return false;
		return !subjectsIn(before).length && !before.some(({ stem }) => BROAD_WORDS.has(stem));
	};
	const loose = words.filter((word, index) => VAGUE_WORDS.has(word.text) || isLoose(word, index));
	return [...new Set(loose.map(({ text }) => text))];
}

/** `for security`, but not `for the release`. */
function namesPurpose(words: readonly Word[]): boolean {
	return words.some(({ text }, index) => {
		const next = words[index + 1]?.text;
		return text === "for" && next !== undefined && !STOP_WORDS.has(next) && !MANNERS.has(next);
	});
}
