import { measureOf } from "../../base/quantities/measure.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { type Line, span } from "../passages/lines.ts";
import { shorten, squeeze } from "../passages/words.ts";

/** A line such as `Severity: 2`. */
export interface KeyLine {
	readonly key: string;
	readonly value: string;
	/** Emphasized keys count anywhere. */
	readonly isBold: boolean;
}

const MAX_WORDS = 5;
/** Characters of a value; a longer one without an emphasized key is a sentence. */
const MAX_PLAIN = 200;
const MAX_BOLD = 500;
/** More lines with recurring keys are a conversation or a log. */
const FEW_LINES = 5;

const BOLD = /^(\*\*|__)([^*_:：]{1,60})(?:[:：]\s*\1|\1\s*[:：])\s*(\S[\s\S]*)$/u;
const PLAIN = /^([^:：\n]{1,60}?)\s?(?::\s+|：\s*)(\S.*)$/u;
const KEY = /^\p{L}[^.!?;,"“”„«»|<>{}=[\]*`\\]*$/u;

const SENTENCE = /[.!?…]["”»)]?$/;

export function keyLineOf(text: string): KeyLine | undefined {
	const line = text.trim();
	if (!/[:：]/.test(line.slice(0, 70))) return undefined;
	const bold = BOLD.exec(line);
	const [key = "", value = ""] = bold ? bold.slice(2) : (PLAIN.exec(line)?.slice(1) ?? []);
	const isKey = KEY.test(key.trim()) && key.trim().split(/\s+/).length <= MAX_WORDS;
	if (!isKey || (!bold && value.length > MAX_PLAIN)) return undefined;
	return { key: squeeze(key), value: shorten(squeeze(value), MAX_BOLD), isBold: bold !== null };
}

export interface LocatedKey extends KeyLine {
	readonly lines: LineRange;
}

/** Two or more keys in a row, or emphasized ones with the lines up to the next. */
export function keysIn(paragraphs: readonly (readonly Line[])[]): LocatedKey[] {
	const found = paragraphs.flatMap((lines, paragraph) => {
		const keys = readKeys(lines);
		return keys.map((key) => ({ ...key, paragraph, isWhole: keys.length === lines.length }));
	});
	const told = found.filter(({ isBold, lines, value, paragraph, isWhole }, index) => {
		const isNear = [found[index - 1], found[index + 1]].some((other) =>
			other?.paragraph === paragraph
				? Math.min(Math.abs(other.lines.start - lines.end), Math.abs(lines.start - other.lines.end)) <= 1
				: isWhole && other?.isWhole && Math.abs(other.paragraph - paragraph) === 1 && !SENTENCE.test(value),
		);
		return isBold || isNear;
	});
	const isVaried = new Set(told.map(({ key }) => key)).size > told.length / 2;
	return told.length <= FEW_LINES || isVaried ? told : [];
}

/** Separates short facts on one line: `Serves 4 · 45 minutes`. */
const BETWEEN = /\s+[·•]\s+/u;

const COUNTED = /^(?<key>\p{L}+) (?<value>\d+)$/u;

/** A bare time span is a duration. */
function factsIn(text: string): KeyLine[] {
	const parts = text.trim().split(BETWEEN);
	if (parts.length < 2) return [];
	return parts.flatMap((part): KeyLine[] => {
		const { key, value } = COUNTED.exec(part)?.groups ?? {};
		if (key && value) return [{ key, value, isBold: true }];
		const isDuration = measureOf(part)?.dimension === "time";
		const told = isDuration ? { key: "duration", value: part, isBold: true } : keyLineOf(part);
		return told ? [told] : [];
	});
}

function readKeys(lines: readonly Line[]): LocatedKey[] {
	const keys: LocatedKey[] = [];
	let last: Line | undefined;
	for (const line of lines) {
		const facts = factsIn(line.text);
		if (facts.length > 0) {
			keys.push(...facts.map((fact) => ({ ...fact, lines: line.lines })));
			continue;
		}
		const key = keyLineOf(line.text);
		const before = keys.at(-1);
		if (key) keys.push({ ...key, lines: line.lines });
		else if (before?.isBold && last && before.lines.end === last.lines.end)
			keys[keys.length - 1] = {
				...before,
				value: shorten(`${before.value} ${squeeze(line.text)}`, MAX_BOLD),
				lines: span(before.lines, line.lines),
			};
		last = line;
	}
	return keys;
}
