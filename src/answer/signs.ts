import { cosine } from "../base/words/relevance.ts";
import { countWords } from "../base/words/wordList.ts";
import type { Signs } from "./decide.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import { type Covered, type FoundSection, type ReadSection, shareOf, sum, type Telling } from "./reading.ts";
import { isData, type Part } from "./units.ts";

export interface BestPart extends Part {
	readonly value: number;
	readonly neighbors: number;
	readonly isKind: boolean;
	readonly defines: boolean;
	readonly isHeaded: boolean;
	/** Whether the part is code that declares a name from the question. */
	readonly declares: boolean;
	/** Whether the part describes an identifier from the question. */
	readonly describes: boolean;
}

/** Number of words beyond the question's words for which `news` is 1. */
const ENOUGH_NEWS = 12;

const MOST_TOLD = 2;

/** Number of words for which `length` is 1. */
const LONG = 80;

/** Weight of a name in a quarter of the passages, which may be the folder's own topic and need not be in a section. */
export const UNUSUAL = Math.log(4);

interface Found {
	readonly best: BestPart;
	readonly covered: readonly Covered[];
	readonly telling: Telling;
}

export function signsOf(question: Question, read: ReadSection, found: Found): Signs {
	const { section, vector } = read;
	const { best, telling } = found;
	const text = `${section.title}\n${section.text}`;
	return {
		...wordSigns(question, read, found),
		...formSigns(question, read, found),
		value: best.value,
		neighbors: neighborsIn(text, question, telling.language),
		cosine: Math.max(0, cosine(telling.vector, vector)),
		passage: section.score,
		// Counts half if only another part of the section has the expected kind.
		kind: best.isKind ? 1 : Number(!isData(section) && isKindOf(question, section)) / 2,
	};
}

function isKindOf({ expects, inHeading }: Question, { title, text }: FoundSection): boolean {
	return expects?.(inHeading ? `${title}\n${text}` : text) ?? false;
}

function wordSigns({ words: asked, names, focus }: Question, { words, context }: ReadSection, found: Found) {
	const { covered, telling } = found;
	const told = sum(covered, ({ weight, near }) => weight * near);
	const missing = covered.filter(({ near }) => near === 0);
	const focused = covered.filter(({ stem }) => focus.has(stem));
	return {
		near: shareOf(covered, ({ near }) => near),
		// The divisor is the total weight that the best of all passages reaches by chance.
		told: Math.min(MOST_TOLD, told / Math.log(telling.passages + 2)),
		rare: shareOf(covered, ({ stem, near }) => (telling.isRare(stem) ? 1 - near : 0)),
		nameless: shareOf(covered, ({ stem, near }) => (names.has(stem) ? 1 - near : 0)),
		other: Number(missing.some(({ stem, weight }) => weight > UNUSUAL && names.has(stem))),
		unfocused: shareOf(focused, ({ near }) => 1 - near),
		numberless: Number(missing.some(({ stem }) => /^[\p{N}.]+$/u.test(stem))),
		news: Math.min(1, words.difference(asked).difference(context).size / ENOUGH_NEWS),
	};
}

function formSigns(question: Question, { section: { form, text } }: ReadSection, { best }: Found) {
	return {
		defines: Number(best.defines),
		headed: Number(best.isHeaded),
		declares: Number(best.declares),
		describes: Number(best.describes),
		unreasoned: Number((form === "code" || form === "table") && question.isWhy),
		steps: Number(form === "list" && question.isHow),
		record: Number(form === "record"),
		length: Math.log(1 + countWords(text)) / Math.log(1 + LONG),
	};
}

export function neighborsIn(text: string, { followers }: Question, { read }: Words): number {
	if (followers.size === 0) return 0;
	const found = new Set<string>();
	const stems = read(text).map(({ stem }) => stem);
	for (const [index, stem] of stems.entries()) {
		const next = stems[index + 1] ?? "";
		if (followers.get(stem)?.has(next)) found.add(`${stem} ${next}`);
	}
	return found.size / sum([...followers.values()], ({ size }) => size);
}

const DECLARATION =
	/^\s*(?:(?:export|public|private|static|async|pub|abstract|default)\s+)*(?:class|interface|struct|enum|trait|function|func|fun|fn|def|type|const|let|var)\s+(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;

/** A name with its description: `- LISTEN_ADDR: Address …`, `* **listenAddr** (string) is …`. */
const DESCRIBED = /^[\s*_>#|+`"-]*(?<name>\p{L}[\p{L}\p{N}_]{0,100})(?<!_)["”`*_]*\s*(?::|–|—|\||\(|\s-\s)/u;
const IDENTIFIER = /_|\p{Ll}\p{Lu}/u;

/** Whether a text describes an identifier from the question. */
export function describes(text: string, { asked }: Question): boolean {
	const { name = "" } = DESCRIBED.exec(text)?.groups ?? {};
	return IDENTIFIER.test(name) && asked.match(/[\p{L}\p{N}_]+/gu)?.includes(name) === true;
}

export function declares(text: string, { asked }: Question): boolean {
	return text.split("\n").some((line) => {
		const { name } = DECLARATION.exec(line)?.groups ?? {};
		return name !== undefined && name.length > 2 && asked.includes(name);
	});
}
