import { countWords } from "../base/words/wordList.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";
import type { Section } from "../core/knowledge/section.ts";
import { createNearness, embedAll, type Nearness, NO_VECTOR } from "./nearness.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import { hasHeader } from "./units.ts";

export interface WordPorts {
	/** Number of visible passages; `countOf` counts those that contain a word. */
	readonly passages: number;
	countOf(word: string): Promise<number>;
	/** Absent if no model is loaded in this process. */
	readonly words: WordModel | undefined;
}

export interface Reading {
	readonly read: readonly ReadSection[];
	readonly telling: Telling;
}

interface Found {
	readonly asked: string;
	readonly questions: readonly Question[];
	readonly sections: readonly FoundSection[];
	readonly language: Words;
}

/** Maximum sections whose vectors are compared. */
const MOST_COMPARED = 40;

/** Reads the words of the questions and sections, with their rarity and vectors. */
export async function readAll({ asked, questions, sections, language }: Found, ports: WordPorts) {
	const wanted = new Set(questions.flatMap(({ words, beside }) => [...words, ...beside]));
	const forms = formsIn(asked, language, (stem) => wanted.has(stem));
	const told = sections.map(({ title, text }) => `${title} ${text}`).join(" ");
	const led = withIntros(sections);
	const texts = led.slice(0, MOST_COMPARED).map(({ section: { title, text } }) => `${title}\n${text}`);
	const vectorAt = await embedAll([asked, ...texts], ports.words);
	const read = led.map((section, index) =>
		readSection(section, index < texts.length ? vectorAt(index + 1) : NO_VECTOR, language),
	);
	const names = new Set(questions.flatMap((question) => [...question.names]));
	const other = new Map([...forms].filter(([stem]) => !names.has(stem) && !/\p{N}/u.test(stem)));
	const nearness = await createNearness(other, formsIn(told, language, language.isTelling), ports.words);
	const weights = await weigh(forms, questions, ports);
	return { read, telling: { language, nearness, vector: vectorAt(0), passages: ports.passages, ...weights } };
}

function formsIn(text: string, { read }: Words, isWanted: (stem: string) => boolean): Map<string, string> {
	return new Map(read(text).flatMap(({ stem, form }) => (isWanted(stem) ? [[stem, form] as const] : [])));
}

/** The weight of a word that only names a measure. */
const MEASURE = 0.3;

/** Weighs the words by their rarity in the folder and in general English. */
async function weigh(forms: ReadonlyMap<string, string>, questions: readonly Question[], ports: WordPorts) {
	const { passages, countOf, words } = ports;
	const measures = new Set(questions.flatMap((question) => [...question.measures]));
	const [weights, rarities] = [new Map<string, number>(), new Map<string, number>()];
	for (const [stem, form] of forms) {
		const rarity = rarityOf(words?.rankOf(form));
		const light = measures.has(stem) ? MEASURE : 1;
		weights.set(stem, light * rarity * idfOf(await countOf(form), passages));
		rarities.set(stem, rarity);
	}
	return { weights, isRare: (stem: string) => (rarities.get(stem) ?? 1) > RARELY };
}

/** The idf of Lucene. A word that no passage has is as rare as one in a single passage. */
function idfOf(having: number, all: number): number {
	const some = Math.max(1, having);
	return Math.log(1 + Math.max(0, all - some + 0.5) / (some + 0.5));
}

/** Minimum rarity of a word that tells the topic of a text. */
const RARELY = 0.85;

/** Frequency ranks: words above `COMMON` are grammar or in every text, words below `RARE` are rare everywhere. */
const COMMON = 100;
const RARE = 10_000;
const LEAST_RARE = 0.15;

/** How much a word says in any text, 0 to 1: in a small folder, `need` and `first` are as rare as names. */
function rarityOf(rank = RARE): number {
	const share = Math.log(rank / COMMON) / Math.log(RARE / COMMON);
	return LEAST_RARE + (1 - LEAST_RARE) * Math.max(0, Math.min(1, share));
}

export interface FoundSection extends Section {
	readonly uri: string;
	readonly path: string;
	/** The headings above the section, or the classes and the name of a thing. */
	readonly title: string;
	readonly label?: string;
	/** Whether it begins a document whose title is the term asked about. */
	readonly isBeginning?: boolean;
	readonly score: number;
}

export interface ReadSection {
	readonly section: FoundSection;
	/** The line above the section that only introduces it. */
	readonly intro?: FoundSection;
	readonly words: ReadonlySet<string>;
	/** Stems of headings, header and file name. */
	readonly context: ReadonlySet<string>;
	/** A unit vector, or empty. */
	readonly vector: Float32Array;
}

function readSection({ section, intro }: Led, vector: Float32Array, { telling }: Words): ReadSection {
	const { title, path, text } = section;
	const header = hasHeader(text) ? (text.split("\n", 1)[0] ?? "") : "";
	const file = path.replace(/\.\w+$/, "");
	const context = telling(`${title} ${file} ${header} ${intro?.text ?? ""}`);
	return { section, ...(intro && { intro }), vector, words: telling(text), context };
}

type Led = Pick<ReadSection, "section" | "intro">;

/** Maximum words of a line that introduces the next section, and of one that ends in a colon or a question mark. */
const MOST_WORDS = 8;
const MOST_BEFORE_COLON = 25;

const COLON = /[:：?？]\s*$/;

const ADDRESS = /\b(?:https?|ftp|mailto):\S+/g;

/** Attaches each section that only introduces the next one to that one, and drops sections without words. */
function withIntros(sections: readonly FoundSection[]): Led[] {
	const led: Led[] = [];
	let intro: FoundSection | undefined;
	const telling = sections.filter(({ text }) => /[\p{L}\p{N}]/u.test(text.replace(ADDRESS, "")));
	for (const [index, section] of telling.entries()) {
		// A line in bold may introduce a line with a colon, which introduces a list.
		const text = [intro?.text ?? "", section.text].join(" ").trim();
		const isFurther = intro === undefined || (COLON.test(text) && countWords(text) <= MOST_BEFORE_COLON);
		const isIntro = isFurther && leadsTo(section, telling[index + 1]);
		if (!isIntro) led.push({ section, ...(intro && { intro }) });
		intro = isIntro ? { ...section, text } : undefined;
	}
	return led;
}

/** Whether a section introduces the next one under the same heading: a question, or a short line with a colon or without any mark. */
function leadsTo({ text, form, uri, title, lines }: FoundSection, next: FoundSection | undefined): boolean {
	const isAbove = next?.uri === uri && next.title === title && next.lines.start > lines.end;
	if (!isAbove || (form !== "prose" && form !== "lines") || text.includes("\n")) return false;
	const words = countWords(text);
	if (COLON.test(text)) return words <= MOST_BEFORE_COLON;
	return words <= MOST_WORDS && words < countWords(next.text) && !/\d|[.!?…)"”]\s*$/.test(text);
}

export interface Telling {
	/** Weights of the question's words by stem, from their rarity. */
	readonly weights: ReadonlyMap<string, number>;
	isRare(stem: string): boolean;
	/** Number of visible passages. */
	readonly passages: number;
	readonly nearness: Nearness;
	readonly vector: Float32Array;
	readonly language: Words;
}

interface Weighed {
	readonly stem: string;
	readonly weight: number;
}

/** A word with how nearly a text has it, 0 to 1. */
export interface Covered extends Weighed {
	readonly near: number;
}

/** The weight of a word that is only in the headings, for a section and for a part of one. */
const CONTEXT = 0.9;
const CONTEXT_OF_PART = 0.5;
/** The weight, for a part, of a word that is only in the rest of the section. */
const AROUND = 0.6;

/** The weight of a word that is only in another question of the same text. */
const BESIDE = 0.3;

function weighed({ words, beside }: Question, { weights }: Telling): Weighed[] {
	const weightOf = (stem: string) => weights.get(stem) ?? 0;
	return [
		...Array.from(words, (stem) => ({ stem, weight: weightOf(stem) })),
		...Array.from(beside, (stem) => ({ stem, weight: BESIDE * weightOf(stem) })),
	];
}

/** How nearly a section and its headings have each word of a question. */
export function coverBy({ words, context }: ReadSection, question: Question, telling: Telling): Covered[] {
	const { nearness } = telling;
	return weighed(question, telling).map(({ stem, weight }) => {
		const has = Math.max(words.has(stem) ? 1 : 0, context.has(stem) ? CONTEXT : 0);
		const near = has || Math.max(nearness(stem, words), nearness(stem, context) * CONTEXT);
		return { stem, weight, near };
	});
}

interface PartWords extends ReadSection {
	readonly part: ReadonlySet<string>;
}

/** How nearly a part of a section has each word of a question. */
export function coverIn({ part, words, context }: PartWords, question: Question, telling: Telling) {
	const nearIn = (stem: string) => {
		if (part.has(stem)) return 1;
		const around = Math.max(context.has(stem) ? CONTEXT_OF_PART : 0, words.has(stem) ? AROUND : 0);
		return Math.max(around, telling.nearness(stem, part));
	};
	return weighed(question, telling).map(({ stem, weight }) => ({ stem, weight, near: nearIn(stem) }));
}

/** The weighted share of a question's words that a part of a section has, 0 to 1. */
export function coverOf(question: Question, part: PartWords, telling: Telling): number {
	return shareOf(coverIn(part, question, telling), ({ near }) => near);
}

/** The weighted mean of a value over the words. */
export function shareOf<Word extends Weighed>(words: readonly Word[], of: (word: Word) => number): number {
	return sum(words, (word) => word.weight * of(word)) / (sum(words, ({ weight }) => weight) || 1);
}

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}
