import { datesIn } from "../base/quantities/dates.ts";
import { countWords, WORD } from "../base/words/wordList.ts";
import { type LineRange, MOST_QUOTED_LINES } from "../core/knowledge/citation.ts";
import type { QuotePart } from "../core/knowledge/knowledge.ts";
import { linesWithin, type Section } from "../core/knowledge/section.ts";
import { worthOf } from "./decide.ts";
import type { Question } from "./question/question.ts";
import {
	type Covered,
	coverBy,
	coverIn,
	coverOf,
	type FoundSection,
	type ReadSection,
	shareOf,
	sum,
	type Telling,
} from "./reading.ts";
import { type BestPart, declares, describes, neighborsIn, signsOf, UNUSUAL } from "./signs.ts";
import { STATEMENT } from "./things.ts";
import { headerOf, isProse, type Part, unitsOf } from "./units.ts";

export interface Ranked extends ReadSection {
	readonly best: Part;
	/** The weighted share of the question's words in the best part, from 0 to 1. */
	readonly value: number;
	readonly score: number;
	readonly isNear: boolean;
}

/** Weight of the expected kind of answer in choosing the best part, relative to all words of the question. */
const KIND = 0.3;
/** Weight of a word such as "because": low, since most reasons are given without one. */
const REASON = 0.1;
const NEIGHBORS = 0.1;

export function rankSections(question: Question, sections: readonly ReadSection[], telling: Telling) {
	const ranked = sections.flatMap((section) => rank(question, section, telling));
	return (question.isNow ? current(ranked) : ranked).sort((a, b) => b.score - a.score);
}

/** Drops sections that a section with a later date replaces. The later section inherits the better score. */
function current(ranked: readonly Ranked[]): Ranked[] {
	return ranked
		.filter((each) => !ranked.some((other) => replaces(other, each)))
		.map((each) => {
			const replaced = ranked.filter((other) => replaces(each, other));
			return { ...each, score: Math.max(each.score, ...replaced.map(({ score }) => score)) };
		});
}

/** Minimum share of the best value that another row, or a section with a later date, must have. */
const LIKE_BEST = 0.75;

/** Maximum difference by which the score of a section with a later date may be lower. */
const LATER = 2.5;

/** Whether `later` has a later date in its heading or path and nearly as many of the question's words. */
function replaces(later: Ranked, former: Ranked): boolean {
	const isLikely = later.score > former.score - LATER && later.value >= LIKE_BEST * former.value;
	const [before, after] = [former, later].map(({ section }) => dateOf(section));
	return isLikely && before !== undefined && after !== undefined && after > before;
}

function dateOf({ title, path }: FoundSection): number | undefined {
	const dates = [title, path].flatMap(datesIn).flatMap(({ readings }) => readings.slice(0, 1));
	const { year, month = 0, day = 0 } = dates.find(({ year }) => year !== undefined) ?? {};
	return year && (year * 12 + month) * 31 + day;
}

function rank(question: Question, read: ReadSection, telling: Telling): Ranked[] {
	const covered = coverBy(read, question, telling);
	const best = bestPart(question, read, telling);
	const signs = signsOf(question, read, { best, covered, telling });
	if (question.needsKind && (signs.kind === 0 || isOfOther(question, read, best))) return [];
	return [{ ...read, best, value: best.value, score: worthOf(signs), isNear: signs.near > 0 }];
}

/** Whether a record is about another resource: the record of a spouse does not say when Kirsten was born. */
function isOfOther({ names }: Question, { context, section }: ReadSection, best: BestPart): boolean {
	const isStated = STATEMENT.test(section.text.slice(best.from, best.to).trim());
	const isRecord = section.form === "record" || (section.form === "lines" && isStated);
	return isRecord && !best.isKind && names.size > 0 && names.isDisjointFrom(context);
}

function bestPart(question: Question, read: ReadSection, telling: Telling): BestPart {
	const { section } = read;
	const { form } = section;
	const isHeaded = question.defines !== undefined && isHeadedBy(question, read, telling);
	const parts = unitsOf(section).map(
		({ from, to, text }): BestPart => ({
			from,
			to,
			neighbors: neighborsIn(text, question, telling.language),
			value: coverOf(question, { ...read, part: telling.language.telling(text) }, telling),
			isKind: question.expects?.(text) ?? true,
			isHeaded,
			declares: form === "code" && !question.needsKind && declares(text, question),
			describes: form !== "code" && describes(text, question),
			defines:
				form !== "code" &&
				(question.defines?.(text) === true || (section.isBeginning === true && from === 0)),
		}),
	);
	const kind = question.isWhy ? REASON : KIND;
	const worth = (part: BestPart) =>
		part.value +
		NEIGHBORS * part.neighbors +
		(part.isKind ? kind : 0) +
		(part.defines || part.declares || part.describes ? 1 : 0);
	return parts.reduce((best, part) => (worth(part) > worth(best) ? part : best));
}

/** Whether the heading names what is asked. The section may have the other words: "… in Plausible?" */
function isHeadedBy({ words }: Question, read: ReadSection, { weights, language }: Telling): boolean {
	const { form, title } = read.section;
	const heading = language.telling(title.split(" › ").at(-1) ?? "");
	const isTold = (stem: string) =>
		read.words.has(stem) || read.context.has(stem) || (weights.get(stem) ?? 0) < UNUSUAL;
	const isMeant =
		heading.size > 0 && heading.isSubsetOf(words) && [...words.difference(heading)].every(isTold);
	return (
		form !== "record" &&
		form !== "code" &&
		(isMeant || (words.isSubsetOf(heading) && heading.size <= words.size + 1))
	);
}

export const MOST_WORDS = 80;

/** Weight of a further answer of the expected kind in extending the best part. */
const FURTHER = 0.1;
/** Weight of filling the available words in extending the best part. */
const FILLED = 0.1;

/** The best part with adjacent parts; in a table, with matching rows. Up to `words` words. */
export function excerptOf(question: Question, ranked: Ranked, telling: Telling, words: number) {
	const { section, best } = ranked;
	const { form, text } = section;
	const header = headerOf(section);
	const units = unitsOf(section).map(({ from, to, text: said }): Unit => {
		const part = telling.language.telling(said);
		const covered = coverIn({ ...ranked, part }, question, telling);
		const value = shareOf(covered, ({ near }) => near);
		const isKind = question.expects?.(said) === true;
		const lines = linesWithin(section, from, to);
		return { from, to, covered, value, isKind, words: countWords(said), lines };
	});
	const first = units.findIndex(({ from }) => from === best.from);
	const room = Math.max(FEWEST_CUT, words - countWords(header));
	const worthOf = (run: readonly Unit[]) =>
		coverBetween(run) +
		(run.some((unit) => unit.isKind && unit !== units[first]) ? FURTHER : 0) +
		(FILLED * sum(run, (unit) => unit.words)) / room;
	const chosen = form === "table" ? rowsLike(units, first, room) : bestRun(units, first, room, worthOf);
	const parts = chosen.map(
		(unit, index): QuotePart => ({
			// In code, a part extends to the next part, because braces and empty lines do not belong to any part.
			text: within(text, form === "code" ? { ...unit, to: chosen[index + 1]?.from ?? unit.to } : unit, room),
			...(unit.from === best.from && { isBest: true }),
		}),
	);
	const rest = isProse(section) ? restOf(section, units, chosen, room) : undefined;
	const lines = linesOf(rest ? [...chosen, rest] : chosen);
	if (rest && lines.end - lines.start < MOST_QUOTED_LINES)
		parts[rest.isBefore ? "unshift" : "push"]({ text: rest.text });
	return { parts: header ? [{ text: header }, ...parts] : parts, lines };
}

function within(text: string, unit: Unit, room: number): string {
	if (unit.words <= room) return text.slice(unit.from, unit.to);
	return `${text.slice(unit.from, endOfFirst(text, unit, room))} …`;
}

/** Minimum number of words that remain of a shortened sentence. */
export const FEWEST_CUT = 8;

/** The words that fit of an adjacent sentence: its end if it is before the chosen parts, else its beginning. */
function restOf(section: Section, units: readonly Unit[], chosen: readonly Unit[], room: number) {
	const left = room - sum(chosen, ({ words }) => words);
	const [first, last] = [chosen[0], chosen.at(-1)];
	const before = first && units[units.indexOf(first) - 1];
	const after = last && units[units.indexOf(last) + 1];
	const isBefore = !after || (before?.value ?? -1) > after.value;
	const unit = isBefore ? before : after;
	if (!unit || left < FEWEST_CUT || unit.words <= left) return undefined;
	const [from, to] = isBefore
		? [startOfLast(section.text, unit, left), unit.to]
		: [unit.from, endOfFirst(section.text, unit, left)];
	const text = section.text.slice(from, to);
	return { isBefore, text: isBefore ? `… ${text}` : `${text} …`, lines: linesWithin(section, from, to) };
}

function startOfLast(text: string, { from, to }: Part, words: number): number {
	return from + ([...text.slice(from, to).matchAll(WORD)].at(-words)?.index ?? 0);
}

function endOfFirst(text: string, { from, to }: Part, words: number): number {
	const last = [...text.slice(from, to).matchAll(WORD)][words - 1];
	return last ? from + last.index + last[0].length : to;
}

interface Unit extends Part {
	readonly covered: readonly Covered[];
	readonly isKind: boolean;
	readonly value: number;
	readonly words: number;
	readonly lines: LineRange;
}

function coverBetween(units: readonly Unit[]): number {
	const { covered = [] } = units[0] ?? {};
	const nearest = covered.map((word, at) => {
		return { ...word, near: Math.max(...units.map((unit) => unit.covered[at]?.near ?? 0)) };
	});
	return shareOf(nearest, ({ near }) => near);
}

/** The best sequence of adjacent parts that contains the part `first` and fits. */
function bestRun(
	units: readonly Unit[],
	first: number,
	room: number,
	worthOf: (run: readonly Unit[]) => number,
): readonly Unit[] {
	let [best, most]: [readonly Unit[], number] = [units.slice(first, first + 1), 0];
	for (let from = first; from >= 0 && isWithin(units.slice(from, first), room); from--)
		for (let to = first + 1; to <= units.length; to++) {
			const run = units.slice(from, to);
			if (!isWithin(run, room)) break;
			const worth = worthOf(run);
			if (worth > most) [best, most] = [run, worth];
		}
	return best;
}

/** The best row and rows that match about as well, as far as they fit. */
function rowsLike(units: readonly Unit[], first: number, room: number): readonly Unit[] {
	const best = units[first];
	const alike = units.filter(({ value }) => value >= LIKE_BEST * (best?.value ?? 0));
	const chosen: Unit[] = best ? [best] : [];
	for (const unit of alike) if (unit !== best && isWithin([...chosen, unit], room)) chosen.push(unit);
	return chosen.sort((a, b) => a.from - b.from);
}

function isWithin(units: readonly Unit[], room: number): boolean {
	const { start, end } = linesOf(units);
	return sum(units, ({ words }) => words) <= room && end - start < MOST_QUOTED_LINES;
}

function linesOf(units: readonly Pick<Unit, "lines">[]): LineRange {
	const lines = units.map((unit) => unit.lines);
	return {
		start: Math.min(...lines.map(({ start }) => start)),
		end: Math.max(...lines.map(({ end }) => end)),
	};
}
