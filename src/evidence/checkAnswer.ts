import { stemmer } from "stemmer";
import { languageOf } from "../base/language/detect.ts";
import { FUNCTION_WORDS } from "../base/language/functionWords.ts";
import type { Language } from "../base/language/languages.ts";
import { datesIn } from "../base/quantities/dates.ts";
import { plainDigits } from "../base/quantities/plainDigits.ts";
import { quantitiesIn } from "../base/quantities/quantities.ts";
import { type Citation, formatCitation } from "../core/knowledge/citation.ts";
import { doubtfulNamesIn, namesIn } from "./names.ts";
import { readSource, rowsWith, type SourceText, wordsIn } from "./sourceText.ts";
import { missingWords, standsCode, standsDate, standsNumber, standsQuotation } from "./standing.ts";
import { type Statement, statementsIn } from "./statements.ts";
import { weekdaysIn } from "./weekdays.ts";

/** The text of lines, and what they are found under: the title of a passage or a document. */
export interface CitedText {
	readonly text: string;
	readonly titles: readonly string[];
}

/** How a statement compares with the lines it cites: only figures, dates, names and quotations count. */
export type Verdict =
	| { readonly kind: "standing" }
	/** Facts that the cited lines do not contain, as the statement writes them. */
	| { readonly kind: "missing"; readonly missing: readonly string[] }
	/** It has facts, and neither it nor its paragraph cites lines that have them. */
	| { readonly kind: "uncited" }
	/** There is nothing to compare, or nothing to compare it with. */
	| { readonly kind: "unjudged" };

export interface CheckedStatement extends Pick<Statement, "text" | "citations"> {
	readonly verdict: Verdict;
}

/** Maximum characters of a statement and of an answer; longer ones are not checked. */
const LONGEST_STATEMENT = 5000;
const LONGEST_ANSWER = 100_000;

/**
 * Compares each statement of an answer with the lines that it cites, without a model; paraphrases are not judged. Words
 * that are `known` names are judged as names in any position.
 */
export function checkAnswer(
	answer: string,
	textOf: (citation: Citation) => CitedText | undefined,
	known?: ReadonlySet<string>,
): CheckedStatement[] {
	const sourceOf = createSources(textOf);
	return readAnswer(answer).map(({ statement, language, isJudged }) => {
		const { text, citations } = statement;
		const facts = isJudged ? factsIn(text, language, known) : [];
		return { text, citations, verdict: judge(statement, facts, sourceOf) };
	});
}

/** Words of an answer that `checkAnswer` treats as names only if they are known. */
export function doubtfulNames(answer: string): string[] {
	const names = readAnswer(answer).flatMap(({ statement, language, isJudged }) =>
		isJudged ? doubtfulNamesIn(statement.text, language) : [],
	);
	return [...new Set(names)];
}

function readAnswer(answer: string) {
	const statements = statementsIn(answer.slice(0, LONGEST_ANSWER));
	const language = languageOf(statements.map(({ text }) => text).join("\n"));
	return statements.map((statement) => ({
		statement,
		language: languageOf(statement.text) ?? language,
		isJudged: statement.text.length <= LONGEST_STATEMENT,
	}));
}

function judge(
	{ text, citations, nearby }: Statement,
	facts: readonly Fact[],
	sourceOf: (cited: readonly Citation[]) => SourceText | undefined,
): Verdict {
	const cited = citations.length > 0 ? citations : nearby;
	const source = sourceOf(cited);
	// Lines that cannot be read count against no statement.
	if (!source) return { kind: "unjudged" };
	const missing = [...new Set(missingIn(facts, text, source))];
	if (facts.length === 0 && (missing.length === 0 || citations.length === 0)) return { kind: "unjudged" };
	if (citations.length > 0) return missing.length > 0 ? { kind: "missing", missing } : { kind: "standing" };
	return cited.length > 0 && missing.length === 0 ? { kind: "unjudged" } : { kind: "uncited" };
}

/** What of the facts is not in the lines; of a table, in the rows of what the statement names. */
function missingIn(facts: readonly Fact[], statement: string, source: SourceText): readonly string[] {
	const missing = facts.flatMap((fact) => fact.missingIn(source));
	if (missing.length > 0) return missing;
	const names = new Set(facts.flatMap(({ names = [] }) => names.flatMap(wordsIn)));
	const rows = rowsWith(source.text, names);
	if (rows !== undefined) {
		const own = readSource([rows], [source.about]);
		return facts.flatMap((fact) => fact.missingIn(own));
	}
	const negated = negatedWord(statement, [source.text]);
	return negated === undefined ? [] : [negated];
}

/** The combined text of citations; `undefined` if one cannot be read. Statements with the same citations share it. */
function createSources(textOf: (citation: Citation) => CitedText | undefined) {
	const known = new Map<string, SourceText | undefined>();
	const read = (cited: readonly Citation[]) => {
		const texts = cited.map((one) => ({ path: one.path, found: textOf(one) }));
		if (texts.some(({ found }) => found === undefined)) return undefined;
		const found = texts.flatMap((each) => each.found ?? []);
		const about = [...found.flatMap(({ titles }) => titles), ...texts.map(({ path }) => path)];
		return readSource(
			found.map((each) => each.text),
			about,
		);
	};
	return (cited: readonly Citation[]): SourceText | undefined => {
		const distinct = new Map(cited.map((one) => [formatCitation(one), one]));
		const key = [...distinct.keys()].join("\n");
		if (!known.has(key)) known.set(key, read([...distinct.values()]));
		return known.get(key);
	};
}

interface Fact {
	/** Words of a name. */
	readonly names?: readonly string[];
	missingIn(source: SourceText): readonly string[];
}

const QUOTED =
	/“([^”]{3,300})”|„([^“”]{3,300})[“”]|«([^»]{3,300})»|(?<![\p{L}\p{N}])"([^"]{3,300})"(?![\p{L}\p{N}])/gu;
/** Letters and digits in one word. Digits with a unit behind them are a number. */
const CODE =
	/(?<![\p{L}\p{N}_./-])(?=[\p{L}\p{N}./-]*\p{N})\p{Lu}[\p{L}\p{N}]*(?:[-/.][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;

/** Words for numbers that are mostly something else. */
const IDLE = /^(?:half|quarter|half hours?|one|first|second|both|hundred|thousand)$/i;

/** Order matters: what has been read as one thing is not read as another. */
function factsIn(text: string, language: Language | undefined, known?: ReadonlySet<string>): Fact[] {
	let rest = plainDigits(text);
	const facts: Fact[] = [];
	const take = (pattern: RegExp, factOf: (written: string, groups: readonly string[]) => Fact) => {
		rest = rest.replace(pattern, (written: string, ...others: unknown[]) => {
			facts.push(
				factOf(
					written,
					others.filter((value) => typeof value === "string"),
				),
			);
			return blank(written);
		});
	};
	take(QUOTED, (written, [quoted = ""]) => ({
		missingIn: (source) => (standsQuotation(quoted, source) ? [] : [written]),
	}));
	take(CODE, (written) => ({ missingIn: (source) => (standsCode(written, source) ? [] : [written]) }));
	for (const date of datesIn(rest)) {
		facts.push({
			missingIn: (source) => (standsDate(date, source) ? [] : [date.written]),
		});
		rest = blankAt(rest, date);
	}
	for (const weekday of weekdaysIn(rest)) {
		facts.push({ missingIn: ({ weekdays }) => (weekdays.has(weekday.day) ? [] : [weekday.written]) });
		rest = blankAt(rest, weekday);
	}
	for (const quantity of quantitiesIn(rest)) {
		// "One of them" counts nothing.
		if (IDLE.test(quantity.written)) continue;
		facts.push({ missingIn: (source) => (standsNumber(quantity, source) ? [] : [quantity.written]) });
		rest = blankAt(rest, quantity);
	}
	for (const name of namesIn(rest, language, known))
		facts.push({
			names: name.words,
			missingIn: (source) => (missingWords(name, text, source).length === 0 ? [] : [name.written]),
		});
	return facts;
}

function blankAt(
	text: string,
	{ offset, written }: { readonly offset: number; readonly written: string },
): string {
	return text.slice(0, offset) + blank(written) + text.slice(offset + written.length);
}

/** Neither a letter nor a space: names on both sides of it are two. */
function blank(text: string): string {
	return "·".repeat(text.length);
}

const NEGATIONS =
	/^(?:no|not|never|none|nobody|neither|nor|without|cannot|n?t|nicht|nie|niemals|niemand|kein\p{L}{0,2}|ohne|ne|pas|jamais|aucune?|sans)$/u;
const FUNCTION: ReadonlySet<string> = new Set(
	(["en", "de", "fr"] as const).flatMap((language) =>
		[...FUNCTION_WORDS[language]].map((word) => wordsIn(word)[0] ?? word),
	),
);
const SENTENCE = /(?<=[.!?;])\s+|\n+/;
/** Fewer words in common say too little. */
const SHARED = 3;

/** The word by which a sentence of the lines says the opposite in the same words, or `undefined`. */
function negatedWord(statement: string, lines: readonly string[]): string | undefined {
	const said = readSentence(statement);
	if (said.words.size < SHARED) return undefined;
	const alike = lines
		.flatMap((text) => text.split(SENTENCE))
		.map(readSentence)
		.filter(({ words }) => said.words.isSubsetOf(words) && words.size <= said.words.size + 1);
	const opposed = alike.filter(({ negations }) => negations.length % 2 !== said.negations.length % 2);
	if (opposed.length === 0 || opposed.length < alike.length) return undefined;
	return said.negations[0] ?? opposed[0]?.negations[0];
}

function readSentence(text: string) {
	const words = wordsIn(text);
	const told = words.filter((word) => !NEGATIONS.test(word) && !FUNCTION.has(word));
	return { words: new Set(told.map(stemmer)), negations: words.filter((word) => NEGATIONS.test(word)) };
}
