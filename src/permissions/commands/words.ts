import { wordSet } from "../../base/words/wordList.ts";

/** Splits a table's texts into words. Its keys are names, separated by commas. */
export function wordSets(table: Readonly<Record<string, string>>) {
	const entries = Object.entries(table).flatMap(([names, words]) =>
		names.split(", ").map((name): [string, ReadonlySet<string>] => [name, wordSet(words)]),
	);
	return Object.fromEntries(entries);
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
