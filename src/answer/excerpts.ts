import { runsOf } from "../base/values.ts";
import { wordList } from "../base/words/wordList.ts";
import type { LineRange } from "../core/knowledge/citation.ts";
import { linesWithin } from "../core/knowledge/section.ts";
import type { Question } from "./question/question.ts";
import { coverOf, type FoundSection, type Reading, type ReadSection, type Telling } from "./reading.ts";
import { headerOf, unitsOf } from "./units.ts";

/** Adjacent parts of a section, with the header of its table, if any. */
export interface Excerpt {
	readonly section: FoundSection;
	readonly text: string;
	readonly lines: LineRange;
}

/** Weight of the expected kind of answer, relative to all words of the question. */
const KIND = 0.3;
/** Weight of adjacency to the best part. */
const NEXT = 0.5;

/** The parts of sections that match any of the questions best, in document order, up to `words` words. */
export function excerptsOf(questions: readonly Question[], { read, telling }: Reading, words: number) {
	const units = read.flatMap((each) => unitsOf(each.section).map((part) => ({ ...each, ...part })));
	const worths = questions.map((question) => worthsFor(question, units, telling));
	const worthAt = (index: number) => Math.max(...worths.map((all) => all[index] ?? 0));
	let left = words;
	const chosen = [...units.entries()]
		.sort(([a], [b]) => worthAt(b) - worthAt(a))
		.filter(([, { text }]) => {
			const size = wordList(text).length;
			const fits = size <= left;
			if (fits) left -= size;
			return fits;
		})
		.sort(([a], [b]) => a - b);
	return runsOf(chosen, (run, [at, { section }]) => {
		const [before, last] = run.at(-1) ?? [];
		return before === at - 1 && last?.section === section;
	}).flatMap((run) => toExcerpt(run.map(([, unit]) => unit)));
}

type Unit = ReadSection & ReturnType<typeof unitsOf>[number];

function worthsFor(question: Question, units: readonly Unit[], telling: Telling): number[] {
	const own = units.map((unit) => {
		const part = telling.language.telling(unit.text);
		return coverOf(question, { ...unit, part }, telling) + (question.expects?.(unit.text) ? KIND : 0);
	});
	const best = own.indexOf(Math.max(...own));
	return own.map((worth, index) => worth + NEXT / (1 + Math.abs(index - best)));
}

function toExcerpt(run: readonly Unit[]): Excerpt[] {
	const [first, last] = [run[0], run.at(-1)];
	if (!first || !last) return [];
	const { section, from } = first;
	const header = headerOf(section);
	const text = section.text.slice(from, last.to);
	return [
		{ section, text: header ? `${header}\n${text}` : text, lines: linesWithin(section, from, last.to) },
	];
}
