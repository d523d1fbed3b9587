import type { Language } from "../base/language/languages.ts";
import { datesIn } from "../base/quantities/dates.ts";
import { plainDigits } from "../base/quantities/plainDigits.ts";
import { type Quantity, quantitiesIn } from "../base/quantities/quantities.ts";
import { type WrittenDay, weekdaysIn } from "../base/quantities/weekdays.ts";
import { runsOf } from "../base/values.ts";
import { type Citation, citationsIn, formatCitation } from "../core/knowledge/citation.ts";
import { doubtfulNamesIn, isGerman, namesIn } from "./names.ts";
import { misplacedIn, type Placed, placedFact } from "./places.ts";
import { blank, blankAt, languageLike, readSource, type SourceText, type Written } from "./sourceText.ts";
import { deniedWord, standsCode, standsDate, standsName, standsNumber, standsQuotation } from "./standing.ts";

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

/** A sentence or list item of an answer as plain text, with its citations. */
export interface Statement {
	readonly text: string;
	readonly citations: readonly Citation[];
	/** Other citations in the same paragraph or list. */
	readonly nearby: readonly Citation[];
}

/** Characters around placeholders for citations. The same characters in the answer are removed. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const HELD = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");
const FENCE = /^\s*(?:```|~~~)/;
const BREAK = /^\s*(?:#{1,6}\s|$)/;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}/;
const ROW = /^\s*\|/;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;

/** Space after a sentence, including closing marks and citations. Matches the space first: looking back is slow. */
const SENTENCE_END = new RegExp(
	`(?=\\s)(?<=[.!?…]["'”’»)*_]*(?:\\s*${OPEN}\\d+${CLOSE})*)\\s+(?=["'“„«(*_]*[\\p{Lu}\\p{N}])`,
	"u",
);
const ABBREVIATED =
	/(?:^|[\s(])(?:\p{Lu}|[A-Z]\.[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|Mt|No|Nos|Fig|Figs|Sec|Vol|Jr|Sr|Inc|Ltd|Co|Corp|vs|etc|approx|ca|cf|e\.g|i\.e|al|p|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mio|Mrd|Tsd|Nr|Abs|bzw|usw|z\.B|d\.h)\.$/u;

/** A German ordinal number: `am 7. März`, `im 19. Jahrhundert`. */
const GERMAN_ORDINAL = /(?:^|\s)(?:am|vom|zum|bis|ab|de[rmns]|im|des|und)\s+\d{1,2}\.$/iu;

/** A text such as `Sources: […] […]`, whose citations are for the text before it. */
const ONLY_SOURCES = /^(?:\p{P}|\s|sources?|references?|see|from|citations?)*$/iu;

/** Omits code and headings. */
export function statementsIn(answer: string): Statement[] {
	const citations = citationsIn(answer);
	const held = citations.reduceRight(
		(text, { offset, length }, index) =>
			`${text.slice(0, offset)}${OPEN}${index}${CLOSE}${text.slice(offset + length)}`,
		// Keeps the length, so that offsets of citations remain valid.
		answer.replace(/[\uE000\uE001]/g, " "),
	);
	const cited = (text: string) =>
		[...text.matchAll(HELD)].flatMap(([, index]) => citations[Number(index)]?.citation ?? []);
	const blocks = blocksIn(held).map((pieces) => ({ pieces, citations: cited(pieces.join(" ")) }));
	const statements: Statement[] = [];
	for (const block of blocks)
		for (const piece of block.pieces.flatMap(sentencesIn)) {
			const text = plainWords(piece);
			const own = cited(piece);
			if (ONLY_SOURCES.test(text)) cover(statements, own);
			else statements.push({ text, citations: own, nearby: block.citations });
		}
	return statements;
}

function cover(statements: Statement[], citations: readonly Citation[]): void {
	for (const [index, statement] of statements.entries())
		statements[index] = { ...statement, nearby: [...statement.nearby, ...citations] };
}

function blocksIn(text: string): string[][] {
	const blocks: string[][] = [[]];
	for (const line of proseIn(text)) {
		const block = blocks.at(-1) ?? [];
		const last = block.at(-1) ?? "";
		// A paragraph that ends in a colon includes the list after it.
		if (!BREAK.test(line)) addLine(block, line);
		else if (!/:\W*$/.test(last)) blocks.push([]);
	}
	return blocks;
}

function addLine(block: string[], line: string): void {
	if (ROW.test(line)) block.push(line.replace(/\|/g, " | "));
	else if (ITEM.test(line) || block.length === 0) block.push(line.replace(ITEM, ""));
	else block.push(`${block.pop()} ${line.trim()}`);
}

function proseIn(text: string): string[] {
	let isCode = false;
	return text
		.split(/\r\n|[\n\r]/)
		.map((line) => line.replace(/^\s*(?:>\s?)+/, ""))
		.filter((line) => {
			const isFence = FENCE.test(line);
			if (isFence) isCode = !isCode;
			return !isFence && !isCode && !TABLE_RULE.test(line);
		});
}

function sentencesIn(piece: string): string[] {
	const goesOn = (before = "") => ABBREVIATED.test(before) || GERMAN_ORDINAL.test(before);
	const sentences = runsOf(piece.split(SENTENCE_END), (run) => goesOn(run.at(-1)));
	return sentences.map((run) => run.join(" ")).filter((sentence) => sentence.trim() !== "");
}

function plainWords(text: string): string {
	return text
		.replace(HELD, "")
		.replace(/!?\[([^[\]]{0,300})\]\([^()]{0,1000}\)/g, "$1")
		.replace(/\*\*|__|[*`]|(?<!\p{L})_|_(?!\p{L})/gu, "")
		.replace(/\s+/g, " ")
		.replace(/ (?=[.,;:!?])/g, "")
		.trim();
}
