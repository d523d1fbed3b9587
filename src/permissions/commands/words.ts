import { wordSet } from "../../base/words/wordList.ts";

/** Splits a table's texts into words. Its keys are names, separated by commas. A map, because `constructor` is a name, too. */
export function wordSets(table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
	const entries = Object.entries(table).flatMap(([names, words]) =>
		names.split(", ").map((name): [string, ReadonlySet<string>] => [name, wordSet(words)]),
	);
	return new Map(entries);
}

/** Words of a command. Marks, which no clear line contains, replace parts that only the shell knows. */
export type Words = readonly string[];

/** Marks any text, which may become several words. */
export const ANY_WORDS = "\ue000";
/** Marks any text within a word. */
export const ANY_PART = "\ue001";
/** Marks any part of a file name. */
export const ANY_NAME = "\ue002";
/** Marks a character after a backslash, which some shells remove and others keep. */
export const ANY_SIGN = "\ue003";

export function isKnown(word: string): boolean {
	return !/[\ue000-\ue003]/.test(word);
}

/** Whether a word with unknown parts may become an option. */
export function mayHideOption(word: string): boolean {
	return !isKnown(word) && /^[-\ue000-\ue003]|\ue000/.test(word);
}

/** Whether a word may become a text, judging by the word's known beginning and end. */
export function mayBe(word: string, text: string): boolean {
	const parts = word.split(/[\ue000-\ue003]/);
	const [start = "", end = ""] = [parts[0], parts.at(-1)];
	if (parts.length === 1) return word === text;
	return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

export function programOf(word: string | undefined): string {
	return (word ?? "")
		.replace(/^.*[/\\]/s, "")
		.replace(/\.(?:exe|cmd|bat|ps1|com)$/i, "")
		.toLowerCase();
}

export function isOptionWord(word: string | undefined): boolean {
	return word !== undefined && /^-./.test(word) && word !== "--";
}

/** Builtins that run another builtin or program. The words of a command do not include keywords before it. */
const LEADING = wordSet("command builtin");

/** Builtins that take variable names. Shells evaluate subscripts in these names, including commands. */
const NAMING = wordSet(
	`printf test [ [[ read unset declare typeset local export readonly mapfile readarray getopts wait let set for select
		shift exit return break continue`,
);

/** Builtins whose operands are all names, so any unknown word may contain a subscript. */
const ONLY_NAMES = wordSet("read unset getopts mapfile readarray");

const NAMING_BY_OPTION = wordSet("printf test [ [[");

/** A subscript or comparison in which a shell runs a command. */
const SUBSTITUTING = /[[=<>+*/%,(-].*(?:\$[([{]|`)/s;

/** Options that make a builtin evaluate or run a word. */
const EVALUATING = new Map(
	Object.entries({
		let: /./s,
		set: /^-\w*k|keyword/,
		declare: /^[-+]\w*[in]/,
		typeset: /^[-+]\w*[in]/,
		local: /^[-+]\w*[in]/,
		export: /^[-+]\w*i/,
		readonly: /^[-+]\w*i/,
		mapfile: /^-\w*C/,
		readarray: /^-\w*C/,
		compgen: /^-\w*[CFW]/,
		complete: /^-\w*[CFW]/,
		bind: /^-\w*x/,
	}),
);

/** Whether a shell may run commands in the words of a builtin even if these words are quoted. */
export function mayEvaluate(words: Words): boolean {
	const start = words.findIndex((word) => !(LEADING.has(word) || isOptionWord(word)));
	return start >= 0 && evaluates(programOf(words[start]), words.slice(start + 1));
}

function evaluates(program: string, operands: Words): boolean {
	const evaluating = EVALUATING.get(program);
	if (evaluating && operands.some((word) => !isKnown(word) || evaluating.test(word))) return true;
	if (!NAMING.has(program)) return false;
	if (operands.some((word) => SUBSTITUTING.test(word))) return true;
	return operands.some((word, index) => !isKnown(word) && mayBeName(program, operands[index - 1]));
}

/** Whether an unknown word may be the name of a variable; an unknown word before the name may be `-v`. */
function mayBeName(program: string, before: string | undefined): boolean {
	if (ONLY_NAMES.has(program)) return true;
	const isFirst = before === undefined || !isKnown(before);
	return NAMING_BY_OPTION.has(program) && (isFirst ? program === "printf" : before.startsWith("-v"));
}
