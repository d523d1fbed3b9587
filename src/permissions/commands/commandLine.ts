import { wordSet } from "../../base/words/wordList.ts";
import { ANY_NAME, ANY_PART, ANY_SIGN, ANY_WORDS, ASSIGNMENT, mayEvaluate, type Words } from "./words.ts";

export interface SimpleCommand {
	/** Words without quotes. Marks replace what only the shell knows: variables, globs, output of commands. */
	readonly words: Words;
	readonly files: Words;
	/** Whether the command has only words, without assignments or redirections. */
	readonly isPlain: boolean;
	/** Variables that the command line sets before the command runs, as `NAME=value`. */
	readonly assignments: readonly string[];
}

/** Includes nested commands. */
export interface CommandLine {
	readonly commands: readonly SimpleCommand[];
	/** Whether all shells agree on the commands. If not, the line may run more commands than those found. */
	readonly isClear: boolean;
}

interface Reading {
	readonly text: string;
	at: number;
	readonly commands: SimpleCommand[];
	isClear: boolean;
	depth: number;
}

/** The command that is being read. */
interface Draft {
	readonly words: string[];
	readonly files: string[];
	readonly assignments: string[];
	isPlain: boolean;
	isEmpty: boolean;
}

/** Ends the group of nested commands. */
type Closer = ")" | "`" | undefined;

interface Word {
	text: string;
	/** Length of the text before a brace or bracket expansion, which may become anything. */
	end?: number;
}

/** Invisible characters, and characters that only some shells treat as a quote or as the end of a line. */
const DECEPTIVE = /[[\p{Cc}\p{Cf}\p{Co}\u2018-\u201f\u2028\u2029]--[\t\n]]/v;
const BLANK = /[ \t]/;
const PAREN = /[()]/;
const ANGLE = /[<>]/;
/** Ends a command; a delimiter ends a word. */
const SEPARATOR = /[\n;&|()]/;
const DELIMITER = /[ \t\n;&|<>()]/;
const WILDCARD = /[*?]/;
/** Opens an expansion to several words. A word that consists of this sign alone is literal. */
const LIST = /[[{]/;
/** At the beginning of a word, `HOME` expands to a folder, and `LEADING` to a folder or a program's path. */
const HOME = /~(?=$|[/ \t\n;&|])/y;
const LEADING = /~[\w.+-]*|=/y;
const PLAIN_SIGNS = /(?:\[|\{\})(?=$|[ \t\n;&|])/y;
const HARMLESS = /(?:>&\d+|[<>]&-|>>?[ \t]*\/dev\/null)(?=$|[\s;&|)])/y;
const HERE_OR_PROCESS = /<<|[<>]\(/y;
const REDIRECTION = /(?:>>|>\||<>|[<>])&?[ \t]*/y;
const NAME = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
const HARMLESS_ESCAPE = /[\w.\-/:\\ ]/;
const HARMLESS_QUOTED_ESCAPE = /[^"$`\n]/;
const DEEPEST = 20;
const KEYWORDS = wordSet(
	"{ } ! if then elif else fi for do done while until case esac function select time coproc [[",
);

/** Parses all commands of a line. If shells disagree, the result may be incomplete, and is not clear. */
export function parseCommandLine(commandLine: string): CommandLine {
	const text = commandLine.replaceAll("\r\n", "\n");
	const reading: Reading = { text, at: 0, commands: [], isClear: !DECEPTIVE.test(text), depth: 0 };
	readCommands(reading, undefined);
	return { commands: reading.commands, isClear: reading.isClear && reading.commands.length > 0 };
}

function readCommands(reading: Reading, closer: Closer): void {
	reading.depth++;
	if (reading.depth > DEEPEST) {
		reading.isClear = false;
		reading.at = reading.text.length;
	}
	while (!isAtEnd(reading, closer)) readCommand(reading, closer);
	// An unclosed nested command is probably a mistake.
	if (closer && signAt(reading) === "") reading.isClear = false;
	reading.at++;
	reading.depth--;
}

/** Reads a command, which may be empty, and the sign after it. */
function readCommand(reading: Reading, closer: Closer): void {
	const draft: Draft = { words: [], files: [], assignments: [], isPlain: true, isEmpty: true };
	while (!isAtEnd(reading, closer) && !SEPARATOR.test(signAt(reading))) readPart(reading, draft, closer);
	const { isEmpty, ...command } = draft;
	if (!isEmpty) reading.commands.push(command);
	if (mayEvaluate(command.words)) reading.isClear = false;
	if (isAtEnd(reading, closer)) return;
	if (PAREN.test(signAt(reading))) reading.isClear = false;
	reading.at++;
}

/** Returns an empty text at the end of the line. */
function signAt({ text, at }: Reading): string {
	return text[at] ?? "";
}

function isAtEnd(reading: Reading, closer: string | undefined): boolean {
	const sign = signAt(reading);
	return sign === "" || sign === closer;
}

function readPart(reading: Reading, draft: Draft, closer: Closer): void {
	const sign = signAt(reading);
	if (BLANK.test(sign)) reading.at++;
	else if (ANGLE.test(sign)) readRedirection(reading, draft, closer);
	else readWordInto(reading, draft, closer);
}

function readWordInto(reading: Reading, draft: Draft, closer: Closer): void {
	const start = reading.at;
	const word = readWord(reading, closer);
	const raw = reading.text.slice(start, reading.at);
	// Some shells skip this text as a comment, others run it.
	if (raw.startsWith("#")) reading.isClear = false;
	// A number before a redirection is a file descriptor, as in `2>`.
	if (/^\d+$/.test(raw) && ANGLE.test(signAt(reading))) return;
	const isFirst = draft.words.length === 0;
	draft.isEmpty &&= KEYWORDS.has(raw);
	if (isFirst && KEYWORDS.has(raw)) reading.isClear = false;
	else if (isFirst && ASSIGNMENT.test(raw)) {
		draft.assignments.push(word);
		draft.isPlain = false;
	} else draft.words.push(word);
}

function readRedirection(reading: Reading, draft: Draft, closer: Closer): void {
	draft.isEmpty = false;
	if (skip(reading, HARMLESS)) return;
	draft.isPlain = false;
	if (skip(reading, HERE_OR_PROCESS)) reading.isClear = false;
	else if (skip(reading, REDIRECTION)) draft.files.push(readWord(reading, closer));
}

function skip(reading: Reading, pattern: RegExp): boolean {
	pattern.lastIndex = reading.at;
	const isMet = pattern.test(reading.text);
	if (isMet) reading.at = pattern.lastIndex;
	return isMet;
}

function readWord(reading: Reading, closer: string | undefined): string {
	const word: Word = { text: "" };
	if (skip(reading, PLAIN_SIGNS)) return reading.text[reading.at - 1] === "[" ? "[" : "{}";
	if (skip(reading, HOME)) word.text = `~${ANY_PART}`;
	else if (skip(reading, LEADING)) word.text = ANY_PART;
	while (!isAtEnd(reading, closer) && !DELIMITER.test(signAt(reading))) readSign(reading, word);
	return word.text.slice(0, word.end);
}

function readSign(reading: Reading, word: Word): void {
	const sign = signAt(reading);
	if (sign === "'") readSingleQuoted(reading, word);
	else if (sign === '"') readDoubleQuoted(reading, word);
	else if (sign === "\\") readEscape(reading, word, HARMLESS_ESCAPE);
	else if (sign === "$" || sign === "`") readExpansion(reading, word, ANY_WORDS);
	else if (WILDCARD.test(sign)) mark(reading, word, ANY_NAME);
	else if (LIST.test(sign)) {
		mark(reading, word, ANY_WORDS);
		word.end ??= word.text.length;
	} else mark(reading, word, sign);
}

function mark(reading: Reading, word: Word, sign: string): void {
	word.text += sign;
	reading.at++;
}

function readSingleQuoted(reading: Reading, word: Word): void {
	const end = reading.text.indexOf("'", reading.at + 1);
	if (end < 0) reading.isClear = false;
	const stop = end < 0 ? reading.text.length : end;
	word.text += reading.text.slice(reading.at + 1, stop);
	reading.at = stop + 1;
}

function readDoubleQuoted(reading: Reading, word: Word): void {
	reading.at++;
	while (!isAtEnd(reading, '"')) {
		const sign = signAt(reading);
		if (sign === "\\") readEscape(reading, word, HARMLESS_QUOTED_ESCAPE);
		else if (sign === "$" || sign === "`") readExpansion(reading, word, ANY_PART);
		else mark(reading, word, sign);
	}
	if (signAt(reading) === "") reading.isClear = false;
	reading.at++;
}

/** Some shells treat a backslash as an escape, others as a literal character. */
function readEscape(reading: Reading, word: Word, harmless: RegExp): void {
	const escaped = reading.text[reading.at + 1] ?? "";
	if (!harmless.test(escaped)) reading.isClear = false;
	// An escaped slash or dot may change the folder.
	word.text += /[\w -]/.test(escaped) ? ANY_SIGN : ANY_PART;
	reading.at += 2;
}

/** Reads `$…` and backquotes. `"$@"` may become several words although it is quoted. */
function readExpansion(reading: Reading, word: Word, sign: string): void {
	const { text, at } = reading;
	const next = text[at + 1] ?? "";
	if (text[at] === "`") {
		reading.isClear = false;
		reading.at++;
		readCommands(reading, "`");
	} else if (next === "(") {
		reading.at += 2;
		readCommands(reading, ")");
	} else if (next === "[") {
		// Some shells evaluate the expression that follows, including commands in the expression.
		reading.isClear = false;
		reading.at++;
	} else if (next === "{") skipBraces(reading);
	else {
		// Quotes after a dollar sign have other escape rules.
		if (next === "'" || next === '"') reading.isClear = false;
		reading.at++;
		skip(reading, NAME);
	}
	word.text += /[@{]/.test(next) ? ANY_WORDS : sign;
}

function skipBraces(reading: Reading): void {
	const end = reading.text.indexOf("}", reading.at);
	const stop = end < 0 ? reading.text.length : end;
	const inside = reading.text.slice(reading.at + 2, stop);
	if (end < 0 || !/^\w+$/.test(inside)) reading.isClear = false;
	// Anything but a plain name may contain commands, so the text is read as part of this word.
	reading.at = /^\w*$/.test(inside) ? stop + 1 : reading.at + 2;
}
