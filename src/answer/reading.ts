import { cosine } from "../base/words/relevance.ts";
import { countWords } from "../base/words/wordList.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";
import type { Section } from "../core/knowledge/section.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import { hasHeader } from "./units.ts";

export interface WordPorts {
	/** Number of visible passages. */
	readonly passages: number;
	/** Number of visible passages that contain the word. */
	countOf(word: string): Promise<number>;
	/** `undefined` if this process has no model. */
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

const MOST_COMPARED_SECTIONS = 40;

export async function readAll({ asked, questions, sections, language }: Found, ports: WordPorts) {
	const wanted = new Set(questions.flatMap(({ words, beside }) => [...words, ...beside]));
	const forms = formsIn(asked, language, (stem) => wanted.has(stem));
	const told = sections.map(({ title, text }) => `${title} ${text}`).join(" ");
	const led = withIntros(sections);
	const texts = led
		.slice(0, MOST_COMPARED_SECTIONS)
		.map(({ section: { title, text } }) => `${title}\n${text}`);
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

/** Factor for the weight of a word that only names a measure, such as "old" in "how old". */
const MEASURE = 0.3;

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

/** Inverse document frequency as in Lucene. A word without any passage counts like a word with one passage. */
function idfOf(having: number, all: number): number {
	const some = Math.max(1, having);
	return Math.log(1 + Math.max(0, all - some + 0.5) / (some + 0.5));
}

/** Minimum rarity of a word that shows the topic of a text. */
const RARELY = 0.85;

/** Ranks by frequency in English: words before `COMMON` are in every text, words after `RARE` are equally rare. */
const COMMON = 100;
const RARE = 10_000;
const LEAST_RARE = 0.15;

/** Rarity of a word in any text, from 0 to 1: in a small folder, "need" and "first" may be as rare as names. */
function rarityOf(rank = RARE): number {
	const share = Math.log(rank / COMMON) / Math.log(RARE / COMMON);
	return LEAST_RARE + (1 - LEAST_RARE) * Math.max(0, Math.min(1, share));
}

export interface FoundSection extends Section {
	readonly uri: string;
	readonly path: string;
	/** The headings above the section; for a resource, its classes and name. */
	readonly title: string;
	readonly label?: string;
	/** Whether the section begins a document whose title is the term in question. */
	readonly isBeginning?: boolean;
	readonly score: number;
}

export interface ReadSection {
	readonly section: FoundSection;
	/** The line above the section, if that line only introduces the section. */
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

const MOST_WORDS_OF_INTRO = 8;
const MOST_WORDS_BEFORE_COLON = 25;

const COLON = /[:：?？]\s*$/;

const ADDRESS = /\b(?:https?|ftp|mailto):\S+/g;

/** Attaches sections that only introduce the next section to that section. Drops sections without words. */
function withIntros(sections: readonly FoundSection[]): Led[] {
	const led: Led[] = [];
	let intro: FoundSection | undefined;
	const telling = sections.filter(({ text }) => /[\p{L}\p{N}]/u.test(text.replace(ADDRESS, "")));
	for (const [index, section] of telling.entries()) {
		// A line in bold may introduce a line with a colon, which in turn introduces a list.
		const text = [intro?.text ?? "", section.text].join(" ").trim();
		const isFurther =
			intro === undefined || (COLON.test(text) && countWords(text) <= MOST_WORDS_BEFORE_COLON);
		const isIntro = isFurther && leadsTo(section, telling[index + 1]);
		if (!isIntro) led.push({ section, ...(intro && { intro }) });
		intro = isIntro ? { ...section, text } : undefined;
	}
	return led;
}

/** Whether a section is a short line that introduces the next section under the same heading. */
function leadsTo({ text, form, uri, title, lines }: FoundSection, next: FoundSection | undefined): boolean {
	const isAbove = next?.uri === uri && next.title === title && next.lines.start > lines.end;
	if (!isAbove || (form !== "prose" && form !== "lines") || text.includes("\n")) return false;
	const words = countWords(text);
	if (COLON.test(text)) return words <= MOST_WORDS_BEFORE_COLON;
	return words <= MOST_WORDS_OF_INTRO && words < countWords(next.text) && !/\d|[.!?…)"”]\s*$/.test(text);
}

export interface Telling {
	readonly weights: ReadonlyMap<string, number>;
	isRare(stem: string): boolean;
	readonly passages: number;
	readonly nearness: Nearness;
	readonly vector: Float32Array;
	readonly language: Words;
}

interface Weighed {
	readonly stem: string;
	readonly weight: number;
}

/** A word of the question, and from 0 to 1 how nearly a text contains it. */
export interface Covered extends Weighed {
	readonly near: number;
}

/** Coverage, 0 to 1, of a word that is only in the headings of the section. */
const CONTEXT = 0.9;
/** How nearly a part contains a word that is only in the headings of the section. */
const CONTEXT_OF_PART = 0.5;
/** How nearly a part contains a word that is only in another part of the section. */
const AROUND = 0.6;

/** Factor for the weight of a word that is only in another question of the text. */
const BESIDE = 0.3;

function weighed({ words, beside }: Question, { weights }: Telling): Weighed[] {
	const weightOf = (stem: string) => weights.get(stem) ?? 0;
	return [
		...Array.from(words, (stem) => ({ stem, weight: weightOf(stem) })),
		...Array.from(beside, (stem) => ({ stem, weight: BESIDE * weightOf(stem) })),
	];
}

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

export function coverIn({ part, words, context }: PartWords, question: Question, telling: Telling) {
	const nearIn = (stem: string) => {
		if (part.has(stem)) return 1;
		const around = Math.max(context.has(stem) ? CONTEXT_OF_PART : 0, words.has(stem) ? AROUND : 0);
		return Math.max(around, telling.nearness(stem, part));
	};
	return weighed(question, telling).map(({ stem, weight }) => ({ stem, weight, near: nearIn(stem) }));
}

export function coverOf(question: Question, part: PartWords, telling: Telling): number {
	return shareOf(coverIn(part, question, telling), ({ near }) => near);
}

export function shareOf<Word extends Weighed>(words: readonly Word[], of: (word: Word) => number): number {
	return sum(words, (word) => word.weight * of(word)) / (sum(words, ({ weight }) => weight) || 1);
}

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
	return items.reduce((total, item) => total + of(item), 0);
}

/** Similarity in meaning, from 0 to 1, of a stem in the question to the most similar one of `stems`. */
type Nearness = (asked: string, stems: ReadonlySet<string>) => number;

const MOST_COMPARED_WORDS = 1200;

/** Cosines of words with the similarities 0 and `MOST`. See docs/eval.md. */
const RELATED = 0.3;
const SAME = 0.75;
/** Maximum similarity of different words. */
const MOST = 0.8;
/** Similarity of a word that begins or ends another word. */
const CONTAINED = 0.7;
const SHORTEST_PREFIX = 4;

type Forms = ReadonlyMap<string, string>;

async function createNearness(asked: Forms, told: Forms, model: WordModel | undefined): Promise<Nearness> {
	const others = [...told].slice(0, MOST_COMPARED_WORDS);
	const vectorAt = await embedAll([...asked.values(), ...others.map(([, form]) => form)], model);
	const vectors = others.map((_, index) => vectorAt(asked.size + index));
	const near = new Map(
		[...asked.keys()].map((stem, row) => {
			const own = vectorAt(row);
			const values = others.map(([other], index) => {
				const near = meaning(cosine(own, vectors[index] ?? NO_VECTOR));
				return [other, Math.max(contains(stem, other) ? CONTAINED : 0, near)] as const;
			});
			return [stem, values.filter(([, value]) => value > 0)] as const;
		}),
	);
	return (stem, stems) => {
		let most = 0;
		for (const [other, value] of near.get(stem) ?? []) if (value > most && stems.has(other)) most = value;
		return most;
	};
}

function meaning(cosine: number): number {
	return MOST * Math.max(0, Math.min(1, (cosine - RELATED) / (SAME - RELATED)));
}

function contains(a: string, b: string): boolean {
	const [short, long] = a.length < b.length ? [a, b] : [b, a];
	if (short.length < SHORTEST_PREFIX) return false;
	return long.startsWith(short) || (short.length > SHORTEST_PREFIX && long.endsWith(short));
}

const NO_VECTOR = new Float32Array();

/** Embeds texts. Returns a function from the index of a text to its vector, which is empty without a model. */
export async function embedAll(texts: readonly string[], words: Pick<WordModel, "embed"> | undefined) {
	const vectors = (await words?.embed(texts)) ?? NO_VECTOR;
	const columns = vectors.length / texts.length;
	return (row: number) => vectors.subarray(row * columns, (row + 1) * columns);
}
