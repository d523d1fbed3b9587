import type { Language } from "../base/language/languages.ts";
import { datesIn } from "../base/quantities/dates.ts";
import { plainDigits } from "../base/quantities/plainDigits.ts";
import { type Quantity, quantitiesIn } from "../base/quantities/quantities.ts";
import { type WrittenDay, weekdaysIn } from "../base/quantities/weekdays.ts";
import { type Citation, formatCitation } from "../core/knowledge/citation.ts";
import { doubtfulNamesIn, isGerman, namesIn } from "./names.ts";
import { deniedWord } from "./negations.ts";
import { misplacedIn, type Placed, placedFact } from "./places.ts";
import { blank, blankAt, languageLike, readSource, type SourceText, type Written } from "./sourceText.ts";
import { standsCode, standsDate, standsName, standsNumber, standsQuotation } from "./standing.ts";
import { type Statement, statementsIn } from "./statements.ts";

/** Text of cited lines, with the titles of their passage or document. */
export interface CitedText {
	readonly text: string;
	readonly titles: readonly string[];
}

/** Returns the cited lines as a channel sees them now; `undefined` if they cannot be read completely. */
export type CitedLines = (citation: Citation) => CitedText | undefined;

/** Result of comparing a statement's figures, dates, names and quotations with the cited lines. */
export type Verdict =
	| { readonly kind: "standing" }
	/** The statement has facts that the cited lines do not contain; `missing` has their wording in the statement. */
	| { readonly kind: "missing"; readonly missing: readonly string[] }
	/** The statement has facts, but neither the statement nor its paragraph cites lines that contain them. */
	| { readonly kind: "uncited" }
	/** The statement has no facts, or the cited lines cannot be read. */
	| { readonly kind: "unjudged" };

export interface CheckedStatement extends Pick<Statement, "text" | "citations"> {
	readonly verdict: Verdict;
}

/** Maximum number of characters of a statement that is checked; longer statements are `unjudged`. */
const LONGEST_STATEMENT = 5000;
const LONGEST_ANSWER = 100_000;

/** Compares each statement with the cited lines, without a model. Words in `known` always count as names. */
export function checkAnswer(
	answer: string,
	textOf: CitedLines,
	known?: ReadonlySet<string>,
): CheckedStatement[] {
	const sourceOf = createSources(textOf);
	return readAnswer(answer).map(({ statement, language, isJudged }) => {
		const { text, citations, nearby } = statement;
		const source = sourceOf(citations.length > 0 ? citations : nearby);
		const facts = isJudged ? factsIn(text, language, known) : [];
		return { text, citations, verdict: judge(statement, facts, source) };
	});
}

/** Words of the answer that count as names in `checkAnswer` only if `known` has them. */
export function doubtfulNames(answer: string): string[] {
	const names = readAnswer(answer).flatMap(({ statement, language, isJudged }) =>
		isJudged ? doubtfulNamesIn(statement.text, language) : [],
	);
	return [...new Set(names)];
}

function readAnswer(answer: string) {
	const statements = statementsIn(answer.slice(0, LONGEST_ANSWER));
	const language = languageLike(statements.map(({ text }) => text).join("\n"));
	return statements.map((statement) => ({
		statement,
		language: languageLike(statement.text) ?? language,
		isJudged: statement.text.length <= LONGEST_STATEMENT,
	}));
}

function judge(
	{ text, citations, nearby }: Statement,
	facts: readonly Fact[],
	source: SourceText | undefined,
): Verdict {
	// Unreadable lines refute no statement.
	if (!source) return { kind: "unjudged" };
	const missing = [...new Set(missingIn(facts, text, source))];
	if (facts.length === 0 && (missing.length === 0 || citations.length === 0)) return { kind: "unjudged" };
	if (citations.length > 0) return missing.length > 0 ? { kind: "missing", missing } : { kind: "standing" };
	return nearby.length > 0 && missing.length === 0 ? { kind: "unjudged" } : { kind: "uncited" };
}

function missingIn(facts: readonly Fact[], statement: string, source: SourceText): readonly string[] {
	const missing = facts.filter((fact) => !fact.isTold(source));
	if (missing.length > 0) return missing.map(({ written }) => written);
	const said = facts.flatMap(({ placed }) => placed ?? []);
	const misplaced = misplacedIn(said, statement, source);
	if (misplaced.length > 0) return misplaced;
	const negated = deniedWord(statement, source.text);
	return negated === undefined ? [] : [negated];
}

/** Returns the combined text of citations, cached; `undefined` if a citation cannot be read. */
function createSources(textOf: CitedLines) {
	const known = new Map<string, SourceText | undefined>();
	const read = (cited: readonly Citation[]) => {
		const found = cited.map(textOf);
		if (!found.every((one) => one !== undefined)) return undefined;
		const about = [...found.flatMap(({ titles }) => titles), ...cited.map(({ path }) => path)];
		return readSource(
			found.map(({ text }) => text),
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
	readonly written: string;
	/** The figure or date whose context is compared with the context in the lines. */
	readonly placed?: Placed;
	isTold(source: SourceText): boolean;
}

const QUOTED =
	/“[^”]{3,300}”|„[^“”]{3,300}[“”]|«[^»]{3,300}»|(?<![\p{L}\p{N}])"[^"]{3,300}"(?![\p{L}\p{N}])/gu;
/** A word of letters and digits that begins with a capital letter: `L60`. */
const CODE =
	/(?<![\p{L}\p{N}_./-])(?=[\p{L}\p{N}./-]*\p{N})\p{Lu}[\p{L}\p{N}]*(?:[-/.][\p{L}\p{N}]+)*(?![\p{L}\p{N}])/gu;

const IDLE = /^(?:[€$£]?0|half|quarter|half hours?|one|first|second|both|hundred|thousand)$/i;

/** Durations such as "six days a week", which are not compared because writers count the days themselves. */
const WEEKLY = /\p{L}+ (?:days|nights) (?:a|per) week|an \p{L}+ Tagen (?:pro|die|in der) Woche/giu;

/** Facts in a text. The kinds are read in a fixed order, because each word belongs to one fact only. */
function factsIn(text: string, language: Language | undefined, known?: ReadonlySet<string>): Fact[] {
	let rest = plainDigits(text);
	const facts: Fact[] = [];
	// Assumes English if the language is unknown: short English sentences often lack articles, German ones do not.
	const isForeign = ({ language: told }: SourceText) => told !== undefined && told !== (language ?? "en");
	const take = <Found extends Written>(
		found: readonly Found[],
		isTold: (one: Found, source: SourceText) => boolean,
		place?: (one: Found) => Placed,
	) => {
		for (const one of found) {
			const { written } = one;
			facts.push({ written, isTold: (source) => isTold(one, source), ...(place && { placed: place(one) }) });
			rest = blankAt(rest, one);
		}
	};
	const matching = (pattern: RegExp): Written[] =>
		[...rest.matchAll(pattern)].map(({ 0: written, index: offset }) => ({ written, offset }));
	take(matching(QUOTED), ({ written }, source) => isForeign(source) || standsQuotation(written, source));
	take(matching(CODE), ({ written }, source) => standsCode(written, source));
	take(datesIn(rest), standsDate, placedFact);
	const isDay = (said: WrittenDay, { weekdays }: SourceText) => weekdays.some(({ day }) => day === said.day);
	take(weekdaysIn(rest), isDay, placedFact);
	const numbers = quantitiesIn(rest.replace(WEEKLY, blank)).filter(({ written }) => !IDLE.test(written));
	const isNumber = (quantity: Quantity, source: SourceText) => {
		const others = numbers.filter(({ values: [value] }) => value !== quantity.values[0]);
		return standsNumber({ quantity, others, sentence: text }, source, isForeign(source));
	};
	take(numbers, isNumber, placedFact);
	const names = namesIn(rest, language, known).map((name) => ({
		written: name.written,
		isTold: (source: SourceText) =>
			standsName(name, source, { isForeign: isForeign(source), isGerman: isGerman(language) }),
	}));
	return [...facts, ...names];
}
