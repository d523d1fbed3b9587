import { countWords } from "../base/words/wordList.ts";
import type { Citation, LineRange } from "../core/knowledge/citation.ts";
import type { Quote } from "../core/knowledge/knowledge.ts";
import { linesWithin } from "../core/knowledge/section.ts";
import type { FoundSection } from "./reading.ts";
import { unitsOf } from "./units.ts";

export interface CodePorts {
	cite(uri: string, lines: LineRange): Citation;
	sectionsWith(word: string): Promise<readonly FoundSection[]>;
}

/** A value that is written like a code, after another cell or a key: `GS` in `Lagerort: GS`. */
const CODE = /(?<=[:=|]\s?["'[]?)(?=[\d.-]*\p{Lu})[\p{Lu}\d][\p{Lu}\d.-]{1,9}(?=["'\]]?\s*(?:[|,}]|$))/gmu;

const FIRST_CELL = /^[\s|{]*(?:"?[\p{L}\p{N}_ ]{1,40}"?: ?)?["']?[^|,"']*/u;

const MOST_CODES = 2;
const MOST_WORDS = 20;

/** Quotes definitions of codes that the quotes contain and the question does not. */
export async function explainCodes(
	question: string,
	quotes: readonly Quote[],
	{ cite, sectionsWith }: CodePorts,
): Promise<Quote[]> {
	const known = new Set(question.toUpperCase().split(/[^\p{L}\p{N}.-]+/u));
	const codes = new Set(quotes.flatMap(codesIn).filter((code) => !known.has(code)));
	const found = await Promise.all(
		[...codes].slice(0, MOST_CODES).map(async (code) => {
			const telling = (await sectionsWith(code)).flatMap((section) => explaining(section, code));
			const [only, ...others] = new Set(telling.map(({ text }) => text));
			return others.length === 0 ? telling.find(({ text }) => text === only) : undefined;
		}),
	);
	return found.flatMap((each) => {
		if (!each) return [];
		const { section, from, to, text } = each;
		return { citation: cite(section.uri, linesWithin(section, from, to)), form: "lines", parts: [{ text }] };
	});
}

function codesIn({ form, parts }: Quote): string[] {
	if (form === "prose" || form === "code") return [];
	return parts
		.filter(({ isBest }) => isBest || parts.length === 1)
		.flatMap(({ text }) => {
			const isRow = /[|,]/.test(text);
			const cells = isRow ? text.slice(FIRST_CELL.exec(text)?.[0].length) : text;
			return cells.match(CODE) ?? [];
		});
}

/** The parts of a section that begin with the code, including more deeply indented lines below. */
function explaining(section: FoundSection, code: string) {
	const begins = new RegExp(
		`^[\\s|*>+-]*(?:\\{?"?[\\p{L}\\p{N}_ ]{1,40}"?[:=] ?)?["'*\`]*${code.replaceAll(".", "\\.")}["'*\`]*\\s*(?:[:=|,–—]|- |$)`,
		"u",
	);
	const { text, form } = section;
	if (form === "prose" || form === "code") return [];
	const units = unitsOf(section);
	return units.flatMap((unit, index) => {
		if (!begins.test(unit.text)) return [];
		const isOver = ({ text: line, to }: (typeof units)[number]) =>
			indentOf(line) <= indentOf(unit.text) || countWords(text.slice(unit.from, to)) > MOST_WORDS;
		const below = units.slice(index + 1);
		const end = below.findIndex(isOver);
		const { to } = below.slice(0, end < 0 ? undefined : end).at(-1) ?? unit;
		return { section, from: unit.from, to, text: text.slice(unit.from, to) };
	});
}

function indentOf(line: string): number {
	return line.search(/\S/);
}
