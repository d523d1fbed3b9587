import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";

/** What the worker and the other rooms say in English. `{0}`, `{1}` … stand for what is different each time. */
interface Sentence {
	readonly pattern: RegExp;
	/** Which value each gap of the pattern holds. */
	readonly order: readonly number[];
	readonly translation: string;
	readonly letters: number;
}

/** Patterns with gaps are slow on long texts, and what is said to people is short. */
const LONGEST = 2000;
/** A pattern with fewer letters of its own would recognize what is none of ours. */
const FEWEST_LETTERS = 6;
/** A sentence may have others in its gaps. */
const DEPTH = 6;

let sentences: readonly Sentence[] | undefined;

/** What was thrown, in the language of the window. */
export function toldOf(thrown: unknown): string {
	return translated(messageOf(thrown));
}

/**
 * A message of a program or room that does not know the window, in its language: the sentences are recognized by
 * their English. What is not recognized stays as it is.
 */
export function translated(message: string): string {
	const { bundle } = vscode.l10n;
	if (!bundle || message.length > LONGEST) return message;
	sentences ??= Object.entries(bundle)
		.map(([english, translation]) => sentenceOf(english, translation))
		.filter(({ letters }) => letters >= FEWEST_LETTERS)
		.sort((a, b) => b.letters - a.letters);
	return recognize(message, sentences, DEPTH) ?? message;
}

function sentenceOf(english: string, translation: string): Sentence {
	const own = english.split(/\{\d+\}/);
	return {
		pattern: new RegExp(
			`^${own.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.*?)")}$`,
			"su",
		),
		order: [...english.matchAll(/\{(\d+)\}/g)].map(([, at]) => Number(at)),
		translation,
		letters: own.join("").replace(/\P{L}/gu, "").length,
	};
}

function recognize(message: string, known: readonly Sentence[], depth: number): string | undefined {
	if (depth === 0 || !/\p{L}{2}/u.test(message)) return undefined;
	for (const { pattern, order, translation } of known) {
		const found = pattern.exec(message);
		if (!found) continue;
		const values = new Map(order.map((at, gap) => [at, found[gap + 1] ?? ""]));
		return translation.replace(/\{(\d+)\}/g, (_, at) => {
			const value = values.get(Number(at)) ?? "";
			return recognize(value, known, depth - 1) ?? value;
		});
	}
	return eachOf(message, known, depth);
}

/** Of sentences after each other, or of a list, each by itself. */
function eachOf(message: string, known: readonly Sentence[], depth: number): string | undefined {
	for (const between of [/(?<=[.!?])(?= )/, /(?<=,)(?= )/]) {
		const parts = message.split(between);
		if (parts.length < 2) continue;
		const told = parts.map((part) => recognizePart(part, known, depth - 1));
		if (told.some((part) => part !== undefined)) return told.map((part, at) => part ?? parts[at]).join("");
	}
	return undefined;
}

/** What stands around it is kept, where it is not its own. */
function recognizePart(part: string, known: readonly Sentence[], depth: number): string | undefined {
	const [, before = "", words = "", after = ""] = /^( *)(.*?)(,?)$/s.exec(part) ?? [];
	const told = recognize(words, known, depth);
	return recognize(part, known, depth) ?? (told === undefined ? undefined : before + told + after);
}
