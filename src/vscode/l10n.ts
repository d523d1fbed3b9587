import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";
import { inWords, type Phrase } from "../core/phrase.ts";

/** Template of English messages of the worker and other modules, with gaps `{0}`, `{1}` … for values. */
interface Sentence {
	readonly pattern: RegExp;
	/** The pattern's longest literal run. Texts without this run cannot match. */
	readonly anchor: string;
	/** Index of the value in each gap, and whether the value is quoted, and so not translated. */
	readonly gaps: readonly { readonly at: number; readonly isQuoted: boolean }[];
	readonly translation: string;
	readonly letters: number;
	/** Whether the template is so short that it is recognized only as a part of a sentence. */
	readonly isPhrase: boolean;
}

/** Patterns with gaps are slow on long texts, and our messages are short. */
const LONGEST = 2000;
/** Minimum letters of a pattern. Shorter patterns could match texts that are not our messages. */
const FEWEST_LETTERS = 6;
/** Minimum letters of a phrase such as “a text”, which is recognized only within a sentence. */
const FEWEST_IN_PHRASES = 2;
/** Maximum nesting of sentences in the gaps of others. */
const DEPTH = 6;

let sentences: readonly Sentence[] | undefined;

export function toldOf(thrown: unknown): string {
	return translated(messageOf(thrown));
}

export function told(what: string | Phrase): string {
	return inWords(what, (text) => vscode.l10n.bundle?.[text] ?? text);
}

/** Translates an English message of another program. An unrecognized message is returned unchanged. */
export function translated(message: string): string {
	const { bundle } = vscode.l10n;
	if (!bundle || message.length > LONGEST) return message;
	sentences ??= Object.entries(bundle)
		.map(([english, translation]) => sentenceOf(english, translation))
		.filter(({ letters, isPhrase }) => letters >= (isPhrase ? FEWEST_IN_PHRASES : FEWEST_LETTERS))
		.sort((a, b) => b.letters - a.letters);
	return read(new Map(), message, DEPTH) ?? message;
}

function sentenceOf(english: string, translation: string): Sentence {
	const own = english.split(/\{\d+\}/);
	const letters = own.join("").replace(/\P{L}/gu, "").length;
	return {
		pattern: new RegExp(
			`^${own.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.*?)")}$`,
			"su",
		),
		anchor: own.reduce((longest, part) => (part.length > longest.length ? part : longest)),
		gaps: [...english.matchAll(/\{(\d+)\}/g)].map(([, at], gap) => ({
			at: Number(at),
			isQuoted: /["“`<]$/.test(own[gap] ?? ""),
		})),
		translation,
		letters,
		isPhrase: letters < FEWEST_LETTERS && (letters < 4 ? /^[\p{Ll}\s]/u : /^[\p{Ll}\s{]/u).test(english),
	};
}

type Parts = Map<string, string | undefined>;

function read(parts: Parts, text: string, depth: number): string | undefined {
	if (depth === 0 || !/\p{L}{2}/u.test(text)) return undefined;
	if (!parts.has(text)) parts.set(text, recognize(parts, text, depth) ?? eachOf(parts, text, depth));
	return parts.get(text);
}

function recognize(known: Parts, text: string, depth: number): string | undefined {
	for (const { pattern, anchor, gaps, translation, isPhrase } of sentences ?? []) {
		if ((isPhrase && depth === DEPTH) || !text.includes(anchor)) continue;
		const match = pattern.exec(text);
		if (!match) continue;
		const values = gaps.map(({ at, isQuoted }, gap) => {
			const value = match[gap + 1] ?? "";
			return [at, isQuoted ? value : toldIn(known, value, depth - 1)] as const;
		});
		const told = new Map(values);
		return translation.replace(/\{(\d+)\}/g, (_, at) => told.get(Number(at)) ?? "");
	}
	return undefined;
}

function toldIn(known: Parts, value: string, depth: number): string {
	if (/^\d{1,3}(?:,\d{3})+$/.test(value)) return numeral(Number(value.replaceAll(",", "")));
	return read(known, value, depth) ?? value;
}

function eachOf(known: Parts, text: string, depth: number): string | undefined {
	for (const between of [/(?<=\n)/, /(?<=[.!?])(?= )/, /(?<=,)(?= )/, /(?= (?:or|and) )/]) {
		const parts = text.split(between);
		if (parts.length < 2) continue;
		const told = parts.map((part) => readPart(known, part, depth - 1));
		if (told.some((part) => part !== undefined)) return told.map((part, at) => part ?? parts[at]).join("");
	}
	return undefined;
}

/** Translates a part, and keeps the separators around it unless they belong to the message. */
function readPart(known: Parts, part: string, depth: number): string | undefined {
	const [, before = "", words = "", after = ""] = /^( (?:or|and) |\s*)(.*?)(,?\n?)$/s.exec(part) ?? [];
	const whole = read(known, part, depth);
	if (whole !== undefined) return whole;
	const told = read(known, words, depth);
	return told === undefined ? undefined : toldIn(known, before, depth) + told + after;
}

export function numeral(count: number): string {
	return count.toLocaleString(vscode.env.language);
}

export function counted(one: string, many: string): (count: number) => string {
	return (count) => (count === 1 ? one : many.replace("{0}", numeral(count)));
}

export const amounts = {
	characters: counted(vscode.l10n.t("1 character"), vscode.l10n.t("{0} characters")),
	documents: counted(vscode.l10n.t("1 document"), vscode.l10n.t("{0} documents")),
	files: counted(vscode.l10n.t("1 file"), vscode.l10n.t("{0} files")),
	graphs: counted(vscode.l10n.t("1 graph"), vscode.l10n.t("{0} graphs")),
	passages: counted(vscode.l10n.t("1 passage"), vscode.l10n.t("{0} passages")),
	problems: counted(vscode.l10n.t("1 problem"), vscode.l10n.t("{0} problems")),
	resources: counted(vscode.l10n.t("1 resource"), vscode.l10n.t("{0} resources")),
	statements: counted(vscode.l10n.t("1 statement"), vscode.l10n.t("{0} statements")),
	tests: counted(vscode.l10n.t("1 test"), vscode.l10n.t("{0} tests")),
	tokens: counted(vscode.l10n.t("1 token"), vscode.l10n.t("{0} tokens")),
	turns: counted(vscode.l10n.t("1 turn"), vscode.l10n.t("{0} turns")),
};
