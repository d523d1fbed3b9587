import { wordList } from "../../base/words/wordList.ts";
import {
	isRunningVariable,
	LEADING_OPTIONS,
	mayHaveSubcommands,
	operandsOf,
	RUNNING_OPTIONS,
	WRAPPERS,
} from "./programs.ts";
import { isOptionWord, mayHideOption, programOf, type Words } from "./words.ts";

export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Builtins whose operands are names of variables that they set. */
const SETTING = new Set(wordList("export declare typeset local readonly read mapfile readarray getopts"));

const wordsOf = (text: string | undefined) => (text === undefined ? [] : wordList(text));

/** Whether a command has an option, or a word that may be one, by which its program runs others. */
export function runsByOption(words: Words): boolean {
	const program = programOf(words[0]);
	const [sub] = operandsOf(program, words);
	const subAt = sub === undefined ? words.length : words.indexOf(sub, 1);
	const options = [program, `${program} ${sub}`].flatMap((name) => wordsOf(RUNNING_OPTIONS[name]));
	const leading = wordsOf(LEADING_OPTIONS[program]);
	const mayRun = options.length > 0 || mayHaveSubcommands(program);
	return words.some((word, index) => {
		if (index === 0) return false;
		if ((mayRun && mayHideOption(word)) || options.some((option) => isOption(word, option))) return true;
		return index < subAt && leading.some((option) => isOption(word, option));
	});
}

/** Whether a word is an option, or a short form of it, or joins it with others; or an operand with a sign. */
function isOption(word: string, option: string): boolean {
	if (!option.startsWith("-")) return /^[\w.@-]*/.exec(word)?.[0].length === word.indexOf(option);
	const [name = ""] = word.split("=", 1);
	// Programs take the beginning of a long option for the whole of it.
	if (option.startsWith("--")) return name.length > 2 && option.startsWith(name);
	if (option.length > 2) return name === option || name === `-${option}`;
	return /^-[^-]/.test(word) && word.slice(1).includes(option.slice(1));
}

/** Whether a command sets a variable for what it runs, or for the commands after it. */
export function setsVariables(program: string, words: Words): boolean {
	const isSetting =
		SETTING.has(program) || (program === "printf" && words.some((word) => word.startsWith("-v")));
	return words
		.slice(1)
		.some((word) =>
			isSetting
				? !isOptionWord(word) && isRunningVariable(word)
				: WRAPPERS.has(program) && ASSIGNMENT.test(word) && isRunningVariable(word),
		);
}
