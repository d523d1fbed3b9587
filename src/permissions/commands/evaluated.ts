import { wordSet } from "../../base/words/wordList.ts";
import { isKnown, isOptionWord, programOf, type Words } from "./words.ts";

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
const EVALUATING: Readonly<Record<string, RegExp>> = {
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
};

/** Whether a shell may run commands in the words of a builtin even if these words are quoted. */
export function mayEvaluate(words: Words): boolean {
	const start = words.findIndex((word) => !(LEADING.has(word) || isOptionWord(word)));
	return start >= 0 && evaluates(programOf(words[start]), words.slice(start + 1));
}

function evaluates(program: string, operands: Words): boolean {
	const evaluating = EVALUATING[program];
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
