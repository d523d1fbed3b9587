import { cosine } from "../base/words/relevance.ts";
import type { Section } from "../core/knowledge/section.ts";
import type { Nearness } from "./nearness.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import type { Part } from "./sentences.ts";
import { hasHeader, unitsOf } from "./units.ts";

/** A section that was found, and where. */
export interface FoundSection extends Section {
	readonly uri: string;
	readonly path: string;
	/** The headings that lead to it, or the classes and the name of a thing. */
	readonly title: string;
	/** The name of the thing that a record is of, if it is known. */
	readonly label?: string;
	/** The score of its passage among those that were found, 0 to 1. */
	readonly score: number;
}

/** A section with the stems of what it says, and of what it is under. */
export interface ReadSection {
	readonly section: FoundSection;
	/** A line that leads to it, and says nothing alone. */
	readonly intro?: FoundSection;
	readonly words: ReadonlySet<string>;
	/** Stems of headings, header and file name. */
	readonly context: ReadonlySet<string>;
	/** A unit vector; empty if there is none. */
	readonly vector: Float32Array;
}

/** What is known of a question's words. */
export interface Telling {
	/** How rare each is in the folder, and in any text, 0 to 1. */
	readonly weights: ReadonlyMap<string, number>;
	readonly rarities: ReadonlyMap<string, number>;
	readonly nearness: Nearness;
	/** The vector of the question. */
	readonly vector: Float32Array;
	readonly language: Words;
}

/** How well a section answers a question. */
export interface Ranked extends ReadSection {
	/** The part that answers. */
	readonly best: Part;
	readonly score: number;
	readonly signs: Signs;
}

/** By what it is decided whether a section answers, each 0 to 1 but `told`. */
interface Signs {
	/** The share of the question's words, by weight, that the section or its headings have. */
	readonly covered: number;
	/** The same, if words of nearly the same meaning count in part; and what these words weigh. */
	readonly near: number;
	readonly told: number;
	/** The share of words that are missing, and that are rare in any text. */
	readonly rare: number;
	/** Whether it has what is asked for: a number, a date, a name. 1 if nothing special is. */
	readonly kind: number;
	/** The cosine of the question and the section. */
	readonly cosine: number;
	/** The score of its passage. */
	readonly passage: number;
}

/** The weight of a word that only the headings have, in the section and in a part of it. */
const CONTEXT = 0.9;
const CONTEXT_OF_PART = 0.5;
/** The weight of a word that only the rest of the section has, in a part of it. */
const AROUND = 0.6;

/** What counts beside the words, which count 1. Chosen in docs/eval.md. */
const COSINE = 0.45;
const KIND = 0.3;
const HALF = 0.5;
const STRAY = 0.2;
const NEIGHBORS = 0.3;
const PASSAGE = 0.3;
const PART = 0.35;
const DECLARED = 0.4;
const STEPS = 0.15;
const RARE = 0.85;

/** All sections, best first. */
export function rankSections(
	question: Question,
	sections: readonly ReadSection[],
	telling: Telling,
): Ranked[] {
	return sections.map((section) => rank(question, section, telling)).sort((a, b) => b.score - a.score);
}

function rank(question: Question, read: ReadSection, telling: Telling): Ranked {
	const { section, words, context } = read;
	const shares = weighed(question, telling).map(([word, weight]) => {
		const has = Math.max(words.has(word) ? 1 : 0, context.has(word) ? CONTEXT : 0);
		const near =
			has || Math.max(telling.nearness.of(word, words), telling.nearness.of(word, context) * CONTEXT);
		return { weight, has, near, isRare: (telling.rarities.get(word) ?? 1) > RARE };
	});
	const total = sum(shares.map(({ weight }) => weight)) || 1;
	const { best, value, isKind } = bestPart(question, read, telling);
	const kind = Math.max(isKind ? 1 : 0, question.expects?.(section.text) ? HALF : 0);
	const told = sum(shares.map(({ weight, near }) => weight * near));
	const signs: Signs = {
		covered: sum(shares.map(({ weight, has }) => weight * has)) / total,
		near: told / total,
		told,
		rare: sum(shares.map(({ weight, near, isRare }) => (isRare ? weight * (1 - near) : 0))) / total,
		kind,
		cosine: Math.max(0, cosine(telling.vector, read.vector)),
		passage: section.score,
	};
	const score =
		signs.near +
		COSINE * signs.cosine +
		KIND * signs.kind +
		NEIGHBORS * neighborsIn(section.text, question, telling.language) +
		PASSAGE * signs.passage +
		PART * value +
		formOf(question, section, best);
	return { ...read, best, score, signs };
}

/** What speaks for the form of a section, or against it. */
function formOf(question: Question, { form, text }: Section, best: Part): number {
	if (form === "record") return -STRAY;
	if (form !== "code" && form !== "list") return 0;
	if (question.isWhy) return form === "code" ? -STRAY : 0;
	const declared = form === "code" && declares(text.slice(best.from, best.to), question) ? DECLARED : 0;
	return declared + (question.isHow ? STEPS : 0);
}

/** The part of a section that answers best, and whether it has what is asked for. */
function bestPart(question: Question, read: ReadSection, telling: Telling) {
	const { section } = read;
	let found = {
		best: { from: 0, to: section.text.length },
		value: 0,
		worth: -1,
		isKind: question.expects === undefined,
	};
	for (const part of unitsOf(section)) {
		const text = section.text.slice(part.from, part.to);
		const isKind = question.expects?.(text) ?? true;
		const value = coverOf(question, { ...read, part: telling.language.telling(text) }, telling);
		const worth = value + (isKind ? KIND : 0);
		if (worth > found.worth) found = { best: part, value, worth, isKind };
	}
	return found;
}

/** What a word counts of another question that was asked with this one. */
const BESIDE = 0.3;

/** The words of a question with what they count. */
function weighed({ words, beside }: Question, { weights }: Pick<Telling, "weights">): [string, number][] {
	const weightOf = (word: string) => weights.get(word) ?? 0;
	return [
		...Array.from(words, (word): [string, number] => [word, weightOf(word)]),
		...Array.from(beside, (word): [string, number] => [word, BESIDE * weightOf(word)]),
	];
}

interface PartWords extends ReadSection {
	readonly part: ReadonlySet<string>;
}

/** How much of a question a part of a section has, by weight. */
export function coverOf(
	question: Question,
	{ part, words, context }: PartWords,
	{ weights, nearness }: Telling,
): number {
	const all = weighed(question, { weights });
	const shareOf = (word: string) => {
		if (part.has(word)) return 1;
		const around = Math.max(context.has(word) ? CONTEXT_OF_PART : 0, words.has(word) ? AROUND : 0);
		return Math.max(around, nearness.of(word, part));
	};
	const total = sum(all.map(([, weight]) => weight)) || 1;
	return sum(all.map(([word, weight]) => weight * shareOf(word))) / total;
}

/** The share of words next to each other in the question that are so here too. */
function neighborsIn(text: string, { followers }: Question, { read }: Words): number {
	if (followers.size === 0) return 0;
	const found = new Set<string>();
	const stems = read(text).map(({ stem }) => stem);
	for (const [index, stem] of stems.entries()) {
		const next = stems[index + 1] ?? "";
		if (followers.get(stem)?.has(next)) found.add(`${stem} ${next}`);
	}
	return found.size / sum([...followers.values()].map(({ size }) => size));
}

const DECLARATION =
	/^\s*(?:(?:export|public|private|static|async|pub|abstract|default)\s+)*(?:class|interface|struct|enum|trait|function|func|fun|fn|def|type|const|let|var)\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Whether a line of code declares what the question names. */
function declares(text: string, { asked }: Question): boolean {
	return text.split("\n").some((line) => {
		const { name } = DECLARATION.exec(line)?.groups ?? {};
		return name !== undefined && name.length > 2 && asked.includes(name);
	});
}

/** A section as it is compared with questions. */
export function readSection(
	{ section, intro }: Pick<ReadSection, "section" | "intro">,
	vector: Float32Array,
	{ telling }: Words,
): ReadSection {
	const { title, path, text } = section;
	const header = hasHeader(text) ? (text.split("\n", 1)[0] ?? "") : "";
	const file = path.replace(/\.\w+$/, "");
	const context = telling(`${title} ${file} ${header} ${intro?.text ?? ""}`);
	return { section, ...(intro && { intro }), vector, words: telling(text), context };
}

function sum(values: Iterable<number>): number {
	let total = 0;
	for (const value of values) total += value;
	return total;
}
