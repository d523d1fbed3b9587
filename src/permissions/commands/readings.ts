import { parseCommandLine, type SimpleCommand } from "./commandLine.ts";
import {
	isRunningVariable,
	KNOWN,
	kindOfProgram,
	operandsOf,
	READING_WORDS,
	runsByOption,
	SHELLS,
	setsVariables,
	VALUED,
	WITH_OPERAND,
	WRAPPERS,
} from "./programs.ts";
import { ANY_WORDS, ASSIGNMENT, isKnown, isOptionWord, programOf, type Words } from "./words.ts";

interface Reading {
	readonly words: Words;
	/** Whether the command certainly runs. If not, its words may have another meaning. */
	readonly isSure: boolean;
	readonly others: Words;
}

interface Insides {
	readonly readings: readonly Reading[];
	readonly isOpaque: boolean;
}

/** A command and all commands that it runs, including the command itself. */
export interface Readings extends Insides {
	readonly command: SimpleCommand;
	readonly isUnlisted: boolean;
}

const DEEPEST = 6;
/** Maximum number of words of a program that runs its arguments; a longer command is not analyzed. */
const LONGEST = 200;
const PLAIN_WORD = /^[\w./+@%,:=-]*$/;
/** Operand of a wrapper before the command: a duration, a number, or a count of processors. */
const AMOUNT = /^[\d.,]+[smhd%]?$/;

/** Finds the commands that a command runs, as far as possible without running it. */
export function readingsOf(command: SimpleCommand, depth = 0): Readings {
	const { words, files, assignments } = command;
	const opaque = { command, readings: [], isOpaque: true, isUnlisted: false };
	if (depth > DEEPEST) return opaque;
	const self = { words: asRead(words), isSure: true, others: [...files, ...assignments] };
	const program = programOf(self.words[0]);
	if (words.length > LONGEST && !KNOWN.has(program)) return { ...opaque, readings: [self] };
	const { readings, isOpaque } = insideOf(words, depth);
	// Any argument of other programs may be a command, but most arguments are not.
	const isWrapper = WRAPPERS.has(program) || SHELLS.has(program);
	const inner = isWrapper ? readings : readings.map((reading) => ({ ...reading, isSure: false }));
	return {
		command,
		readings: [self, ...inner],
		isOpaque: isOpaque || assignments.some(isRunningVariable),
		isUnlisted: words.length > 0 && kindOf(self.words) === "unlisted",
	};
}

/** Normalizes a command: `git-push` becomes `git push`, and the bundled options of `tar` get a dash. */
function asRead(words: Words): Words {
	const [first, second, ...others] = words;
	const name = programOf(first);
	if (name === "tar" && second !== undefined && !second.startsWith("-"))
		return [first ?? "", `-${second}`, ...others];
	const [, program, rest] = /^([a-z]+)-(.+)$/.exec(name) ?? [];
	if (program === undefined || rest === undefined || !VALUED.has(program)) return words;
	return [program, rest, ...words.slice(1)];
}

function insideOf(words: Words, depth: number): Insides {
	const isFed = words.some((word) => READING_WORDS.has(programOf(word)));
	const all = isFed ? [...words, ANY_WORDS] : words;
	const looked = new Set<number>();
	const texts = new Set<string>();
	let isOpaque = false;
	const pending = [0];
	for (let start = pending.pop(); start !== undefined; start = pending.pop()) {
		if (looked.has(start)) continue;
		looked.add(start);
		const found = lookAt(all.slice(start), start === 0);
		isOpaque ||= found.isOpaque;
		for (const text of found.texts) texts.add(text);
		pending.push(...found.starts.map((next) => start + next));
	}
	const inner = [...texts].map((text) => readText(text, depth + 1));
	return {
		readings: [...nestedReadings(all), ...inner.flatMap(({ readings }) => readings)],
		isOpaque: isOpaque || inner.some((each) => each.isOpaque),
	};
}

interface Look {
	readonly isOpaque: boolean;
	readonly starts: readonly number[];
	readonly texts: readonly string[];
}

function lookAt(written: Words, isOutermost: boolean): Look {
	const [first = ""] = written;
	if (isText(first) && !isOutermost) return { isOpaque: false, starts: [], texts: [] };
	const words = asRead(written);
	const program = programOf(words[0]);
	if (SHELLS.has(program) || program === "eval") return lookAtText(program, words);
	const kind = kindOf(words);
	const starts = WRAPPERS.has(program) ? likelyStarts(program, words) : [];
	const own = starts.length > 0 ? words.slice(0, Math.max(...starts) + 1) : words;
	const doubts = [
		kind === "running",
		kind === "unlisted" && !isOutermost,
		!isKnown(first),
		isElsewhere(first),
		READING_WORDS.has(program) && own.some((word) => SHELLS.has(programOf(word))),
		setsVariables(program, own),
		runsByOption(own),
	];
	const texts = kind === "known" && starts.length === 0 ? [] : own.slice(1).filter(isText);
	return { isOpaque: doubts.includes(true), starts, texts };
}

function kindOf(words: Words): ReturnType<typeof kindOfProgram> {
	const program = programOf(words[0]);
	return kindOfProgram(program, operandsOf(program, words));
}

/** Examines a shell that gets a command line, or `eval`, which joins its words to a command line. */
function lookAtText(program: string, words: Words): Look {
	const joined = words.every(isKnown) ? words.slice(1).join(" ") : undefined;
	const text = program === "eval" ? joined : textOf(words);
	const isOpaque = text === undefined || isElsewhere(words[0] ?? "");
	return { isOpaque, starts: [], texts: text === undefined ? words.slice(1).filter(isText) : [text] };
}

function isText(word: string): boolean {
	return isKnown(word) && !PLAIN_WORD.test(word);
}

function isElsewhere(program: string): boolean {
	return /[/\\]/.test(program) && !/^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/.test(program);
}

function textOf([, option = "", text = ""]: Words): string | undefined {
	return /^-[elux]*c$/.test(option) && isKnown(text) && !/^(?:[-+]|$)/.test(text) ? text : undefined;
}

/** Returns the indexes at which a nested command may begin, the likeliest first. */
function startsIn(words: Words): number[] {
	const valued = VALUED.get(programOf(words[0]));
	const isValue = (index: number) => valued?.has(words[index - 1] ?? "") === true;
	const all = [...words.keys()].filter((index) => {
		const word = words[index] ?? "";
		const mayBegin = !(isOptionWord(word) || word === "--" || ASSIGNMENT.test(word));
		return index > 0 && !isValue(index) && mayBegin;
	});
	const isAmount = (index: number) => AMOUNT.test(words[index] ?? "");
	return [...all.filter((index) => !isAmount(index)), ...all.filter(isAmount)];
}

/** Returns indexes at which the wrapped command may begin; a word after an option may be the option's value. */
function likelyStarts(program: string, words: Words): number[] {
	const starts = startsIn(words);
	const certain = starts.findIndex((start) => !isOptionWord(words[start - 1]));
	const count = (certain < 0 ? starts.length : certain + 1) + (WITH_OPERAND.has(program) ? 1 : 0);
	return starts.slice(0, count);
}

/** Treats every later word of a program that may run others as the beginning of a command. */
function nestedReadings(words: Words): Reading[] {
	const program = programOf(words[0]);
	if (SHELLS.has(program) || KNOWN.has(program)) return [];
	const sure = new Set(sureStarts(words));
	return startsIn(words)
		.filter((start) => isKnown(words[start] ?? ""))
		.map((start) => ({ words: asRead(words.slice(start)), isSure: sure.has(start), others: [] }));
}

/** Returns the indexes of a wrapper's command, and of the commands of wrappers in it. */
function sureStarts(words: Words): number[] {
	if (!WRAPPERS.has(programOf(words[0]))) return [];
	const [start] = startsIn(words);
	if (start === undefined) return [];
	return [start, ...sureStarts(words.slice(start)).map((further) => start + further)];
}

function readText(text: string, depth: number): Insides {
	const { commands, isClear } = parseCommandLine(text);
	const all = commands.map((command) => readingsOf(command, depth));
	return {
		readings: all.flatMap(({ readings }) => readings),
		isOpaque: !isClear || all.some(({ isOpaque, isUnlisted }) => isOpaque || isUnlisted),
	};
}
