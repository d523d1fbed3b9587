import { parseCommandLine, type SimpleCommand } from "./commandLine.ts";
import {
	MARKERS,
	NEVER_RUN,
	READING_WORDS,
	RUNNING_VARIABLE,
	runsUnknown,
	SHELLS,
	VALUED,
	WITH_OPERAND,
	WRAPPERS,
} from "./programs.ts";
import { hasRiskyOptions, reachesBeyond, runsByOption } from "./riskyOptions.ts";
import { isOptionWord, operandsOf, programOf, type Words } from "./words.ts";

export interface CommandPattern {
	readonly words: readonly string[];
	/** What may follow: anything that its program does by its name, names within the folder, or nothing. */
	readonly rest: "anything" | "names" | "nothing";
}

/** A command with all that it runs. */
export interface ReadCommand {
	readonly command: SimpleCommand;
	readonly inside: Readings;
}

/** `maybe`: what decides it is known only when the call runs. */
export type Meeting = "yes" | "maybe" | "no";

const ENDS: Readonly<Record<string, CommandPattern["rest"]>> = { "*": "names", $: "nothing" };

/** A command that runs when another one does. */
interface Reading {
	readonly words: Words;
	/** Whether it surely runs; otherwise its words may as well mean something else. */
	readonly isSure: boolean;
}

/** All commands that a command runs, including itself. */
interface Readings {
	readonly readings: readonly Reading[];
	/** Whether it may run more than could be found. */
	readonly isOpaque: boolean;
}

/** Nobody wraps commands in texts deeper in good faith. */
const DEEPEST = 6;

/** Nobody in good faith passes this many words to a program that runs them. */
const LONGEST = 200;

/** Matches an argument that is a command line itself. */
const SEVERAL_WORDS = /[\s;&|<>()$`]/;

const TEXT_OPTION = /^(?:--?[\w-]+=|-[A-Za-z])(?=.)/s;

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** What wrappers take before the command: a time, a number, a count of processors. */
const AMOUNT = /^[\d.,]+[smhd%]?$/;

/**
 * Reads `git status`, which matches any command with this beginning; `git status *`, followed only by names within the
 * folder; or `git status $`, the whole command. `undefined` for anything else.
 */
export function readCommandPattern(value: string): CommandPattern | undefined {
	const [, start = value, end = ""] = /^(.*\S)\s+([*$])\s*$/s.exec(value) ?? [];
	const { commands, isClear } = parseCommandLine(start);
	const [first, ...others] = commands;
	if (!isClear || !first?.isPlain || others.length > 0) return undefined;
	const words = first.words.filter((word) => word !== undefined && word !== "");
	if (words.length === 0 || words.length < first.words.length) return undefined;
	return { words: words as string[], rest: ENDS[end] ?? "anything" };
}

export function readCommand(command: SimpleCommand): ReadCommand {
	return { command, inside: readingsOf(command) };
}

/** Whether a pattern frees a command: it says so to the letter, and the command does no more than it says. */
export function freesCommand({ words: wanted, rest }: CommandPattern, { command }: ReadCommand): boolean {
	const { words, isPlain } = command;
	if (!isPlain || !wanted.every((word, index) => words[index] === word)) return false;
	const others = words.slice(wanted.length);
	if (rest === "nothing") return others.length === 0;
	if (rest === "names") return others.every(isName) && !reachesBeyond(words, wanted.length);
	const isHidden = command.mayHideOptions && hasRiskyOptions(words);
	return !isHidden && !reachesBeyond(words, wanted.length);
}

/** Whether a word names something in the folder, or nothing but itself: no option, variable, address or other place. */
function isName(word: string | undefined): boolean {
	return word !== undefined && /^[^-/~\\=:][^\\=:]*$/.test(word) && !word.split("/").includes("..");
}

/** Whether a command is, or has another one run, that a pattern speaks of in any spelling. */
export function meetsCommand(pattern: CommandPattern, { inside }: ReadCommand): Meeting {
	const meetings = inside.readings.map(({ words, isSure }) => {
		const meeting = meetsWords(pattern.words, words);
		return meeting === "yes" && !isSure ? "maybe" : meeting;
	});
	if (meetings.includes("yes")) return "yes";
	return inside.isOpaque || meetings.includes("maybe") ? "maybe" : "no";
}

/** Whether one pattern frees all that another frees. */
export function coversCommand(outer: CommandPattern, inner: CommandPattern): boolean {
	if (!outer.words.every((word, index) => inner.words[index] === word)) return false;
	if (outer.rest === "anything") return true;
	const others = inner.words.slice(outer.words.length);
	if (outer.rest === "names") return inner.rest !== "anything" && others.every(isName);
	return inner.rest === "nothing" && others.length === 0;
}

/** Options may be in any position and combined. With other names in between, the match is uncertain. */
function meetsWords(pattern: readonly string[], words: Words): Meeting {
	const [program = "", ...others] = pattern;
	const [first] = words;
	if (first === undefined) return words.length > 0 ? "maybe" : "no";
	const name = programOf(first);
	if (name !== programOf(program)) return "no";
	const names = meetsNames(
		others.filter((word) => !isOptionWord(word)),
		operandsOf(name, words),
		words.slice(1),
	);
	const options = others.filter(isOptionWord).map((option) => meetsOption(option, words.slice(1)));
	return [names, ...options].reduce(weaker, "yes");
}

function weaker(one: Meeting, other: Meeting): Meeting {
	if (one === "no" || other === "no") return "no";
	return one === "maybe" || other === "maybe" ? "maybe" : "yes";
}

function meetsNames(wanted: readonly string[], operands: Words, words: Words): Meeting {
	if (wanted.every((name, index) => operands[index] === name)) return "yes";
	let found = 0;
	// An unknown expansion may become any number of words.
	for (const word of words) {
		if (word === undefined) return "maybe";
		if (word === wanted[found]) found++;
	}
	return found === wanted.length ? "maybe" : "no";
}

function meetsOption(wanted: string, words: Words): Meeting {
	const known = words.filter((word) => word !== undefined);
	if (known.some((word) => word === wanted || word.startsWith(`${wanted}=`))) return "yes";
	const short = known.filter((word) => /^-[^-]/.test(word));
	if (
		isCluster(wanted) &&
		[...wanted.slice(1)].every((letter) => short.some((word) => word.includes(letter)))
	)
		return "yes";
	const initials = isCluster(wanted) ? [...wanted.slice(1)] : [wanted.replace(/^-+/, "").charAt(0)];
	const mayBe = initials.every((letter) => known.some((word) => mayMean(word, letter)));
	return mayBe || known.length < words.length ? "maybe" : "no";
}

/** Letters after one dash: each may be a separate option. */
function isCluster(option: string): boolean {
	return /^-[^-]/.test(option);
}

/** Whether an option may be another spelling of one with this letter. */
function mayMean(word: string, letter: string): boolean {
	const sign = letter.toLowerCase();
	if (word.startsWith("--")) return word.charAt(2).toLowerCase() === sign;
	return isOptionWord(word) && word.slice(1).toLowerCase().includes(sign);
}

/** Looks for what a command runs besides itself, as far as it can be known without running it. */
function readingsOf(command: SimpleCommand, depth = 0): Readings {
	const { words, assignments } = command;
	const self = { words: splitName(words), isSure: true };
	const inner = insideOf(words.slice(0, LONGEST), depth);
	const isOpaque =
		depth > DEEPEST ||
		inner.isOpaque ||
		(words.length > LONGEST && inner.readings.length > 0) ||
		isOpaqueAlone(words) ||
		assignments.some((assignment) => RUNNING_VARIABLE.test(assignment.replace(/\+?=.*$/s, "")));
	return { readings: [self, ...inner.readings], isOpaque };
}

/** `git-push` is `git push`. */
function splitName(words: Words): Words {
	const [first, ...others] = words;
	const [, program, rest] = /^([a-z]+)-(.+)$/.exec(programOf(first ?? "")) ?? [];
	return program !== undefined && rest !== undefined && program in VALUED
		? [program, rest, ...others]
		: words;
}

/** Whether a program by itself runs what is not looked into. */
function isOpaqueAlone(words: Words): boolean {
	const [first] = words;
	if (first === undefined) return false;
	const program = programOf(first);
	if (/[/\\]/.test(first) && !/^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/.test(first)) return true;
	if (SHELLS.has(program)) return !runsOnlyText(words);
	if (program === "export" || program === "declare" || program === "typeset")
		return words.some((word) => word === undefined || RUNNING_VARIABLE.test(word.replace(/=.*$/s, "")));
	return runsUnknown(program, operandsOf(program, words)) || runsByOption(words);
}

/** Whether a shell is given a text as `-c`, and no file. */
function runsOnlyText(words: Words): boolean {
	const at = words.findIndex((word) => word !== undefined && /^-[a-z]*c$/.test(word));
	return at === 1 && words[2] !== undefined && !/^[-+]/.test(words[2]);
}

function insideOf(words: Words, depth: number): Readings {
	const program = programOf(words[0] ?? "");
	const inside = argumentsRun(program, words, depth);
	const isKnown = [NEVER_RUN, WRAPPERS, SHELLS].some((known) => known.has(program)) || program in MARKERS;
	if (isKnown) return inside;
	// Any argument of an unknown program may be a command, but most are not.
	return { readings: inside.readings.map((reading) => ({ ...reading, isSure: false })), isOpaque: false };
}

function argumentsRun(program: string, words: Words, depth: number): Readings {
	const starts = startsIn(program, words);
	const suffixes = starts.map((start) => withReadWords(program, words.slice(start)));
	const likely = suffixes.slice(0, likelyStarts(program, words, starts));
	const sure = WRAPPERS.has(program) ? sureStarts(words) : [];
	const texts = starts.length > 0 || SHELLS.has(program) ? textsIn(program, words, depth) : [];
	return {
		readings: [
			...suffixes.map((suffix, index) => ({
				words: splitName(suffix),
				isSure: sure.includes(starts[index] ?? 0),
			})),
			...texts.flatMap(({ readings }) => readings),
		],
		isOpaque:
			texts.some(({ isOpaque }) => isOpaque) || likely.some((suffix) => isOpaqueInside(program, suffix)),
	};
}

/** Offsets of the command of a wrapper, and of the commands of nested wrappers. */
function sureStarts(words: Words): number[] {
	const [start] = startsIn(programOf(words[0] ?? ""), words);
	if (start === undefined) return [];
	return [start, ...sureStarts(words.slice(start)).map((further) => start + further)];
}

/** Indexes at which a nested command may begin, the likeliest first. */
function startsIn(program: string, words: Words): number[] {
	const markers = MARKERS[program];
	if (program === "" || (NEVER_RUN.has(program) && !markers) || SHELLS.has(program)) return [];
	const marker = markers ? words.findIndex((word) => word !== undefined && markers.includes(word)) : 0;
	if (marker < 0) return [];
	const all = words.map((_, index) => index).filter((index) => index > marker && mayBegin(words[index]));
	const isAmount = (index: number) => AMOUNT.test(words[index] ?? "");
	return [...all.filter((index) => !isAmount(index)), ...all.filter(isAmount)];
}

function mayBegin(word: string | undefined): boolean {
	return word === undefined || !(isOptionWord(word) || word === "--" || ASSIGNMENT.test(word));
}

/** Number of starts at which the command itself may begin: a word after an option may be its value. */
function likelyStarts(program: string, words: Words, starts: readonly number[]): number {
	const certain = starts.findIndex((start) => !isOptionWord(words[start - 1]));
	return (certain < 0 ? starts.length : certain + 1) + (WITH_OPERAND.has(program) ? 1 : 0);
}

function isOpaqueInside(wrapper: string, words: Words): boolean {
	const isFed = READING_WORDS.has(wrapper) && SHELLS.has(programOf(words[0] ?? ""));
	return isFed || (!SEVERAL_WORDS.test(words[0] ?? "") && isOpaqueAlone(words));
}

function withReadWords(program: string, words: Words): Words {
	return READING_WORDS.has(program) ? [...words, undefined] : words;
}

/** Command lines that are passed as text arguments. */
function textsIn(program: string, words: Words, depth: number): Readings[] {
	const joined = program === "eval" ? [words.slice(1)] : words.slice(1).map((word) => [word]);
	return joined.flatMap((parts) => {
		const text = parts.map((part) => part?.replace(TEXT_OPTION, "")).join(" ");
		const isKnown = parts.every((part) => part !== undefined);
		if (program === "eval" && !isKnown) return [{ readings: [], isOpaque: true }];
		const isText = SEVERAL_WORDS.test(text) || (SHELLS.has(program) && !isOptionWord(parts[0]));
		return isKnown && isText ? [readText(text, depth + 1)] : [];
	});
}

function readText(text: string, depth: number): Readings {
	if (depth > DEEPEST) return { readings: [], isOpaque: true };
	const { commands, isClear } = parseCommandLine(text);
	const all = commands.map((command) => readingsOf(command, depth));
	return {
		readings: all.flatMap(({ readings }) => readings),
		isOpaque: !isClear || all.some(({ isOpaque }) => isOpaque),
	};
}
