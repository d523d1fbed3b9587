import { parseCommandLine } from "./commandLine.ts";
import { operandsOf } from "./programs.ts";
import type { Readings } from "./readings.ts";
import { addsNothing } from "./safeOptions.ts";
import { ANY_WORDS, isKnown, isOptionWord, mayBe, mayHideOption, programOf, type Words } from "./words.ts";

export interface CommandPattern {
	readonly words: readonly string[];
	/** What may follow the words: anything that the named command accepts, names in the folder, or nothing. */
	readonly rest: "anything" | "names" | "nothing";
}

/** `maybe` depends on values that are known only at run time; `unlisted` means that the program is unknown. */
export type Meeting = "yes" | "maybe" | "unlisted" | "no";

const ENDS: Readonly<Record<string, CommandPattern["rest"]>> = { "*": "names", $: "nothing" };

/**
 * Reads three forms: `git status` matches any command with this beginning, `git status *` allows only names in the
 * folder after it, and `git status $` is the whole command. Returns `undefined` for any other form.
 */
export function readCommandPattern(value: string): CommandPattern | undefined {
	const [, start = value, end = ""] = /^(.*\S)\s+([*$])\s*$/s.exec(value) ?? [];
	const { commands, isClear } = parseCommandLine(start);
	const [first, ...others] = commands;
	if (!isClear || !first?.isPlain || others.length > 0) return undefined;
	const { words } = first;
	const isWhole = words.length > 0 && words.every((word) => word !== "" && isKnown(word));
	return isWhole ? { words, rest: ENDS[end] ?? "anything" } : undefined;
}

/** Whether a pattern allows a command: the words match literally, and other words add no effect. */
export function freesCommand({ words: wanted, rest }: CommandPattern, asked: Readings): boolean {
	const { words, isPlain } = asked.command;
	if (!isPlain || !wanted.every((word, index) => words[index] === word)) return false;
	const others = words.slice(wanted.length);
	if (rest === "nothing") return others.length === 0;
	const read = asked.readings[0]?.words ?? words;
	return (rest === "anything" || others.every(isName)) && addsNothing(read, wanted.length);
}

function isName(word: string): boolean {
	return isKnown(word) && /^[^-+/~\\=:][^\\=:]*$/.test(word) && !word.split("/").includes("..");
}

/** Whether a command, or a command that runs inside it, matches a pattern in any spelling. */
export function meetsCommand(pattern: CommandPattern, asked: Readings): Meeting {
	const meetings = asked.readings.map(({ words, isSure }) => {
		const meeting = meetsWords(pattern.words, words);
		return meeting === "yes" && !isSure ? "maybe" : meeting;
	});
	if (meetings.includes("yes")) return "yes";
	if (asked.isOpaque || meetings.includes("maybe")) return "maybe";
	return asked.isUnlisted ? "unlisted" : "no";
}

export function coversCommand(outer: CommandPattern, inner: CommandPattern): boolean {
	if (!outer.words.every((word, index) => inner.words[index] === word)) return false;
	if (outer.rest === "anything") return true;
	const others = inner.words.slice(outer.words.length);
	if (outer.rest === "names") return inner.rest !== "anything" && others.every(isName);
	return inner.rest === "nothing" && others.length === 0;
}

/** Options may appear in any order and combination. Other words in between make the match uncertain. */
function meetsWords(pattern: readonly string[], words: Words): Meeting {
	const [program = "", ...others] = pattern;
	const [first] = words;
	if (first === undefined) return "no";
	if (!isKnown(first)) return "maybe";
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
		if (word.includes(ANY_WORDS)) return "maybe";
		if (mayBe(word, wanted[found] ?? "")) found++;
	}
	return found === wanted.length ? "maybe" : "no";
}

function meetsOption(wanted: string, words: Words): Meeting {
	const known = words.filter(isKnown);
	if (known.some((word) => word === wanted || word.startsWith(`${wanted}=`))) return "yes";
	const short = known.filter((word) => /^-[^-]/.test(word));
	if (
		isCluster(wanted) &&
		[...wanted.slice(1)].every((letter) => short.some((word) => word.includes(letter)))
	)
		return "yes";
	const initials = isCluster(wanted) ? [...wanted.slice(1)] : [wanted.replace(/^-+/, "").charAt(0)];
	const isMeant = initials.every((letter) => known.some((word) => mayMean(word, letter)));
	return isMeant || words.some(mayHideOption) ? "maybe" : "no";
}

/** Whether an option has several letters after one dash, each of which may be an option. */
function isCluster(option: string): boolean {
	return /^-[^-]/.test(option);
}

/** Whether a word may be another spelling of the option with this letter. */
function mayMean(word: string, letter: string): boolean {
	const sign = letter.toLowerCase();
	if (word.startsWith("--")) return word.charAt(2).toLowerCase() === sign;
	return isOptionWord(word) && word.slice(1).toLowerCase().includes(sign);
}
