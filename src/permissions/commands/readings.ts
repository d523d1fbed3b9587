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

/** A command that another command runs. */
interface Reading {
	readonly words: Words;
	/** Whether it certainly runs; otherwise its words may have another meaning. */
	readonly isSure: boolean;
	/** Files that it redirects to or from, and its assignments. */
	readonly others: Words;
}

interface Insides {
	readonly readings: readonly Reading[];
	/** Whether it may run more commands than were found. */
	readonly isOpaque: boolean;
}

/** A command and all commands that it runs, itself included. */
export interface Readings extends Insides {
	readonly command: SimpleCommand;
	/** Whether the program is unknown. */
	readonly isUnlisted: boolean;
}

/** Maximum nesting depth of commands in texts. */
const DEEPEST = 6;
/** Maximum number of words of a program that runs its arguments. */
const LONGEST = 200;
const PLAIN_WORD = /^[\w./+@%,:=-]*$/;
/** Operand of a wrapper before the command: a duration, a number, a count of processors. */
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
	// Any argument of other programs may be a command, but most are not.
	const isWrapper = WRAPPERS.has(program) || SHELLS.has(program);
	const inner = isWrapper ? readings : readings.map((reading) => ({ ...reading, isSure: false }));
	return {
		command,
		readings: [self, ...inner],
		isOpaque: isOpaque || assignments.some(isRunningVariable),
		isUnlisted: words.length > 0 && kindOf(self.words) === "unlisted",
	};
}

/** Normalizes a command: `git-push` to `git push`, and the bundled options of `tar` to an option. */
function asRead(words: Words): Words {
	const [first, second, ...others] = words;
	const name = programOf(first);
	if (name === "tar" && second !== undefined && !second.startsWith("-"))
		return [first ?? "", `-${second}`, ...others];
	const [, program, rest] = /^([a-z]+)-(.+)$/.exec(name) ?? [];
	if (program === undefined || rest === undefined || !(program in VALUED)) return words;
	return [program, rest, ...words.slice(1)];
}

/** Examines every word at which a command may begin, and every text. */
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

/** How a program uses its words. */
interface Look {
	readonly isOpaque: boolean;
	/** Indexes at which the command of a wrapper may begin. */
	readonly starts: readonly number[];
	/** Command lines passed as text arguments. */
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

/** Examines a shell with a text, or `eval`, which joins its words to one. */
function lookAtText(program: string, words: Words): Look {
	const joined = words.every(isKnown) ? words.slice(1).join(" ") : undefined;
	const text = program === "eval" ? joined : textOf(words);
	const isOpaque = text === undefined || isElsewhere(words[0] ?? "");
	return { isOpaque, starts: [], texts: text === undefined ? words.slice(1).filter(isText) : [text] };
}

/** Whether a word may be a command line instead of a name. */
function isText(word: string): boolean {
	return isKnown(word) && !PLAIN_WORD.test(word);
}

function isElsewhere(program: string): boolean {
	return /[/\\]/.test(program) && !/^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/.test(program);
}

/** The text that a shell gets through `-c`; `undefined` if it gets a file. */
function textOf([, option = "", text = ""]: Words): string | undefined {
	return /^-[elux]*c$/.test(option) && isKnown(text) && !/^(?:[-+]|$)/.test(text) ? text : undefined;
}

/** Indexes at which a nested command may begin, the likeliest first. */
function startsIn(words: Words): number[] {
	const valued = VALUED[programOf(words[0])];
	const isValue = (index: number) => valued?.has(words[index - 1] ?? "") === true;
	const all = [...words.keys()].filter((index) => {
		const word = words[index] ?? "";
		const mayBegin = !(isOptionWord(word) || word === "--" || ASSIGNMENT.test(word));
		return index > 0 && !isValue(index) && mayBegin;
	});
	const isAmount = (index: number) => AMOUNT.test(words[index] ?? "");
	return [...all.filter((index) => !isAmount(index)), ...all.filter(isAmount)];
}

/** Indexes at which the wrapped command may begin: a word after an option may be its value. */
function likelyStarts(program: string, words: Words): number[] {
	const starts = startsIn(words);
	const certain = starts.findIndex((start) => !isOptionWord(words[start - 1]));
	const count = (certain < 0 ? starts.length : certain + 1) + (WITH_OPERAND.has(program) ? 1 : 0);
	return starts.slice(0, count);
}

/** Every later word of a program that may run others, as the beginning of a command. */
function nestedReadings(words: Words): Reading[] {
	const program = programOf(words[0]);
	if (SHELLS.has(program) || KNOWN.has(program)) return [];
	const sure = new Set(sureStarts(words));
	return startsIn(words)
		.filter((start) => isKnown(words[start] ?? ""))
		.map((start) => ({ words: asRead(words.slice(start)), isSure: sure.has(start), others: [] }));
}

/** Indexes of the command of a wrapper, and of the commands of nested wrappers. */
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
