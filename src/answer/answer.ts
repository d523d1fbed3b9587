import { countWords } from "../base/words/wordList.ts";
import { MOST_QUOTED_LINES } from "../core/knowledge/citation.ts";
import type { Answer, Quote, QuotePart } from "../core/knowledge/knowledge.ts";
import { linesWithin } from "../core/knowledge/section.ts";
import { type CodePorts, explainCodes } from "./codes.ts";
import { choose } from "./decide.ts";
import { type Excerpt, excerptsOf } from "./excerpts.ts";
import { isNoAnswer } from "./lacking.ts";
import { type Grammar, grammarOf, type Question, readQuestions } from "./question/question.ts";
import { excerptOf, FEWEST_CUT, MOST_WORDS, type Ranked, rankSections } from "./rank.ts";
import { type FoundSection, type Reading, readAll, sum, type WordPorts } from "./reading.ts";
import { thingIn } from "./things.ts";
import { isProse, linesOf, type Part, unitsOf } from "./units.ts";
import { type Value, valuesOf } from "./values.ts";

export interface AnswerPorts extends WordPorts, CodePorts {}

/** Minimum weighted share of the question's words that a second quote must add. */
const LEAST_ADDED_SHARE = 0.25;

/** Maximum difference in score between the sections of the first and of a second quote. */
const MOST_BELOW_BEST = 3;

const WORDS_PER_FURTHER_QUOTE = 24;

const MOST_QUOTES = 3;

/** Number of characters of the found texts that decide the language if the question does not. */
const MOST_DETECTED = 4000;

/** Maximum number of words of an answer that has several questions or explains codes. */
const MOST_WORDS_IN_ALL = 120;

export interface Found {
	readonly answer: Answer;
	/** Excerpts of some of the sections, in order and up to `words` words. */
	excerptsFrom(sections: readonly FoundSection[], words: number): Excerpt[];
}

/** Quotes the sections that answer a question; if there are none, the nearest sections, as `kind: "nothing"`. */
export async function findAnswer(
	{ question, about }: { readonly question: string; readonly about?: string },
	sections: readonly FoundSection[],
	ports: AnswerPorts,
): Promise<Found> {
	const texts = sections.map(({ text }) => text).join("\n");
	const grammar = grammarOf(question, texts.slice(0, MOST_DETECTED));
	const { words: language } = grammar;
	const questions = readQuestions(question, grammar, about);
	const asked = about === undefined ? question : `${about} ${question}`;
	const reading = await readAll({ asked, questions, sections, language }, ports);
	const things = sections.flatMap((section) => thingIn(section, language) ?? []);
	const words = Math.min(MOST_WORDS, Math.round(MOST_WORDS_IN_ALL / questions.length));
	const quoting = { ...reading, cite: ports.cite, words, askedFor: grammar.askedFor };
	const found = {
		excerptsFrom: (some: readonly FoundSection[], words: number) => {
			const read = reading.read.filter(({ section }) => some.includes(section));
			return excerptsOf(questions, { ...reading, read }, words);
		},
	};
	const answers = questions.map((each) => {
		const values = valuesOf(each, things, grammar).map((value) => quoteOfValue(value, grammar, ports));
		return values.length > 0 ? values : quotesFor(each, quoting);
	});
	const quotes = answers.flat().filter(isNew).slice(0, Math.max(MOST_QUOTES, questions.length));
	const own = grammar.language === "en" ? {} : { language: grammar.language };
	if (quotes.length > 0) {
		const told = await explainCodes(question, quotes, ports);
		const fitting = firstOf(told, wordsOf, MOST_WORDS_IN_ALL - sum(quotes, wordsOf));
		return { ...found, answer: { kind: "answer", ...own, quotes: quotes.concat(fitting) } };
	}
	const nearest = questions.slice(0, 1).flatMap((each) => nearestTo(each, quoting));
	return { ...found, answer: { kind: "nothing", ...own, quotes: nearest } };
}

interface Quoting extends Reading {
	readonly cite: AnswerPorts["cite"];
	readonly askedFor: Grammar["askedFor"];
	readonly words: number;
}

/**
 * Quotes the best section and sections that are nearly as likely to answer. If there are none of these, quotes a
 * section that has the missing words of the question or that continues under the same heading.
 */
function quotesFor(question: Question, quoting: Quoting): Quote[] {
	const ranked = rankSections(question, quoting.read, quoting.telling);
	const [best, ...others] = choose(question, ranked, quoting.telling.passages).filter(
		(each) => !isNoAnswer(question, each, quoting),
	);
	if (!best) return [];
	const shared = { ...quoting, words: quoting.words - WORDS_PER_FURTHER_QUOTE };
	const first = quoteOf(question, best, others.length > 0 ? shared : quoting);
	const left = { ...quoting, words: quoting.words - wordsOf(first) };
	const rest = restOf(first, best, left);
	if (rest) return [first, rest];
	const following = goingOn(best, ranked, left);
	// Code below the section shows how something is done, and a list follows a colon.
	const isAnnounced = (question.isHow && following[0]?.form === "code") || /[:：]$/.test(textOf(first));
	if (isAnnounced && following.length > 0) return [first, ...following];
	if (others.length > 0) return [first, ...beside(others, question, left)];
	const added = addedTo(first, ranked, { question, ...quoting });
	if (added) {
		const second = quoteOf(question, added, { ...quoting, words: WORDS_PER_FURTHER_QUOTE });
		return [quoteOf(question, best, { ...quoting, words: quoting.words - wordsOf(second) }), second];
	}
	return [first, ...following];
}

function firstOf<Item>(items: readonly Item[], wordsOf: (item: Item) => number, room: number): Item[] {
	let left = room;
	return items.filter((item) => {
		left -= wordsOf(item);
		return left >= 0;
	});
}

function wordsOf({ lead = "", parts }: Quote): number {
	return countWords(lead) + sum(parts, ({ text }) => countWords(text));
}

function beside(others: readonly Ranked[], question: Question, quoting: Quoting): Quote[] {
	let left = quoting.words;
	return others.map((other) => {
		const quote = quoteOf(question, other, { ...quoting, words: Math.max(WORDS_PER_FURTHER_QUOTE, left) });
		left -= wordsOf(quote);
		return quote;
	});
}

function textOf({ parts }: Quote): string {
	return parts.at(-1)?.text.trimEnd() ?? "";
}

/** The section, or the part of the best section, with enough of the question's words that the quote lacks. */
function addedTo(
	{ parts }: Quote,
	ranked: readonly Ranked[],
	{ question, telling: { weights, language } }: Quoting & { readonly question: Question },
): Ranked | undefined {
	const weightOf = (all: Iterable<string>) =>
		[...all].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
	const least = LEAST_ADDED_SHARE * weightOf(question.words);
	const quoted = parts.flatMap(({ text }) => [...language.telling(text)]);
	const open = question.words.difference(new Set([...quoted, ...(ranked[0]?.context ?? [])]));
	const added = ranked.find(({ words, score }) => {
		if (score < (ranked[0]?.score ?? 0) - MOST_BELOW_BEST) return false;
		const own = open.intersection(words);
		return own.size > 0 && weightOf(own) >= least;
	});
	if (added !== ranked[0] || !added) return added;
	const worthOf = ({ text }: Pick<QuotePart, "text">) => weightOf(open.intersection(language.telling(text)));
	const [other] = unitsOf(added.section).sort((a, b) => worthOf(b) - worthOf(a));
	return other && { ...added, best: other };
}

/** The next lines of a section of short lines, such as a JSON object, if the quote has too few lines. */
function restOf({ parts }: Quote, { section }: Ranked, { cite, words }: Quoting): Quote | undefined {
	const { uri, text, form } = section;
	if (form !== "lines" || isProse(section)) return undefined;
	const last = parts.at(-1)?.text ?? "";
	const end = text.lastIndexOf(last) + last.length;
	const following = unitsOf(section).filter(({ from }) => from >= end);
	const units = firstOf(following, (unit) => countWords(unit.text), words);
	const linesTo = ({ to }: Part) => linesWithin(section, units[0]?.from ?? 0, to);
	const within = units.filter((unit) => linesTo(unit).end - linesTo(unit).start < MOST_QUOTED_LINES);
	const until = within.at(-1);
	if (!until) return undefined;
	return { citation: cite(uri, linesTo(until)), form, parts: within.map((unit) => ({ text: unit.text })) };
}

function goingOn({ section }: Ranked, ranked: readonly Ranked[], { cite, words }: Quoting): Quote[] {
	if (section.form === "record") return [];
	const following = ranked
		.map((each) => each.section)
		.filter(({ uri, title, form }) => uri === section.uri && title === section.title && form !== "record")
		.filter(({ lines }) => lines.start > section.lines.end)
		.sort((a, b) => a.lines.start - b.lines.start);
	const quotes: Quote[] = [];
	let [room, end] = [words, section.lines.end];
	for (const next of following) {
		const { uri, text, lines } = next;
		room -= countWords(text);
		if (room < 0 || lines.start > end + MOST_LINES_BETWEEN || quotes.length === MOST_QUOTES - 1) break;
		const form = isProse(next) ? "prose" : next.form;
		quotes.push({ citation: cite(uri, lines), form, parts: partsOf(next) });
		end = lines.end;
	}
	return quotes;
}

function partsOf(section: FoundSection): QuotePart[] {
	const { form, text } = section;
	if (form !== "table" && form !== "code") return unitsOf(section).map((unit) => ({ text: unit.text }));
	const lines = linesOf(text);
	// Keeps code in one part, because the reader sees "…" between parts.
	const shown = form === "table" ? lines : [{ from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0 }];
	return shown.map(({ from, to }) => ({ text: text.slice(from, to) }));
}

const MOST_LINES_BETWEEN = 2;

function nearestTo(question: Question, quoting: Quoting): Quote[] {
	const ranked = rankSections({ ...question, needsKind: false, isNow: false }, quoting.read, quoting.telling);
	return ranked
		.filter(({ isNear }) => isNear)
		.slice(0, MOST_QUOTES)
		.map((each) => quoteOf(question, each, quoting));
}

function quoteOf(question: Question, ranked: Ranked, { telling, cite, words }: Quoting): Quote {
	const { section, intro } = ranked;
	const { uri, title } = section;
	const form = isProse(section) ? "prose" : section.form;
	// Omits the file's name, which is in the citation.
	const lead = [section.path.endsWith(title) ? "" : title, intro?.text ?? ""].filter(Boolean).join(", ");
	const room = Math.max(FEWEST_CUT, words - countWords(lead));
	const { parts, lines } = excerptOf(question, ranked, telling, room);
	const citation = cite(uri, lines);
	return { citation, ...(lead !== "" && { lead }), form, parts };
}

function quoteOfValue({ thing, property, text }: Value, { lead }: Grammar, { cite }: AnswerPorts): Quote {
	const { section, label } = thing;
	const { from, to } = property.part;
	return {
		citation: cite(section.uri, linesWithin(section, from, to)),
		lead: lead(property.name, label),
		form: "record",
		parts: [{ text, isBest: true }],
	};
}

function isNew(quote: Quote, index: number, all: readonly Quote[]): boolean {
	const keyOf = ({ citation, parts }: Quote) =>
		JSON.stringify([citation.path, parts.map(({ text }) => text)]);
	return all.findIndex((other) => keyOf(other) === keyOf(quote)) === index;
}
