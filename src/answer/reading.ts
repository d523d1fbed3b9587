import type { WordModel } from "../core/knowledge/embedder.ts";
import type { Telling } from "./cover.ts";
import { withIntros } from "./intros.ts";
import { createNearness } from "./nearness.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import { type FoundSection, type ReadSection, readSection } from "./sections.ts";

export interface WordPorts {
	/** Number of passages that can be seen, and of those that have a word. */
	readonly passages: number;
	countOf(word: string): Promise<number>;
	/** Absent without a model in this process. */
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

/** Sections whose vectors are compared. */
const MOST_COMPARED = 40;

const NO_VECTOR = new Float32Array();

/** Reads the words of question and sections, how rare they are, and what they mean. */
export async function readAll(
	{ asked, questions, sections, language }: Found,
	ports: WordPorts,
): Promise<Reading> {
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

async function embedAll(texts: readonly string[], words: WordModel | undefined) {
	const vectors = (await words?.embed(texts)) ?? NO_VECTOR;
	const columns = vectors.length / texts.length;
	return (row: number) => vectors.subarray(row * columns, (row + 1) * columns);
}

function formsIn(text: string, { read }: Words, isWanted: (stem: string) => boolean): Map<string, string> {
	return new Map(read(text).flatMap(({ stem, form }) => (isWanted(stem) ? [[stem, form] as const] : [])));
}

/** What a word counts that only says which measure is asked for. */
const MEASURE = 0.3;

/** How rare the words are in the folder, and in any text. */
async function weigh(
	forms: ReadonlyMap<string, string>,
	questions: readonly Question[],
	{ passages, countOf, words }: WordPorts,
): Promise<Pick<Telling, "weights" | "isRare">> {
	const measures = new Set(questions.flatMap((question) => [...question.measures]));
	const [weights, rarities] = [new Map<string, number>(), new Map<string, number>()];
	for (const [stem, form] of forms) {
		const rarity = rarityOf(words?.rankOf(form));
		const light = measures.has(stem) ? MEASURE : 1;
		weights.set(stem, light * rarity * idfOf(await countOf(form), passages));
		rarities.set(stem, rarity);
	}
	return { weights, isRare: (stem) => (rarities.get(stem) ?? 1) > RARELY };
}

/** The idf of Lucene. A word that no passage has is as rare as one in a single passage. */
function idfOf(having: number, all: number): number {
	const some = Math.max(1, having);
	return Math.log(1 + Math.max(0, all - some + 0.5) / (some + 0.5));
}

/** How rare a word is that says what a text is about. */
const RARELY = 0.85;

/** Ranks of words that are of grammar or in every text, and of those that are rare everywhere. */
const COMMON = 100;
const RARE = 10_000;
const LEAST_RARE = 0.15;

/** How much a word says in any text, 0 to 1: in a small folder, `need` and `first` are as rare as names. */
function rarityOf(rank = RARE): number {
	const share = Math.log(rank / COMMON) / Math.log(RARE / COMMON);
	return LEAST_RARE + (1 - LEAST_RARE) * Math.max(0, Math.min(1, share));
}
