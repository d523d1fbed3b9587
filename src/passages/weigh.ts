import type { Question } from "./question.ts";
import type { Saying } from "./sayings.ts";
import { askingFor, type Glossary } from "./things.ts";

/** How well a saying answers, and how much of the question it takes up. */
export interface Weighed {
	readonly saying: Saying;
	readonly score: number;
	/** The share of the question's words, by how rare they are, that it or what stands around it has: 0 to 1. */
	readonly covered: number;
	/** The same for its whole passage. */
	readonly passage: number;
}

/** The weight of a word that is not in the saying but around it, or in the sentence before. */
const AROUND = 0.5;
const BEFORE = 0.4;
const PASSAGE = 0.2;
/** The weight of a word from another question asked with this one. */
const BESIDE = 0.4;

/** What else counts beside words, which count 1. Chosen on one half of the questions of docs/eval.md. */
const KIND = 0.15;
const NEIGHBOURS = 0.5;
const HIT = 0.35;
const FIRST = 0.02;

/** What is taken away from values that nobody asked for, and from statements of programs. */
const STRAY = 0.25;
const CODE = 0.2;

/** All sayings, best first. The fewer of them have a word, the more it counts. */
export function weighSayings(question: Question, sayings: readonly Saying[], glossary: Glossary): Weighed[] {
	const { words, beside } = question;
	const told = sayings.map((saying) => wordsTold(saying, question, glossary));
	const rarityOf = (word: string) => idf(told.filter((each) => each.has(word)).length, told.length);
	const weights = new Map([
		...[...words].map((word) => [word, rarityOf(word)] as const),
		...[...beside].map((word) => [word, BESIDE * rarityOf(word)] as const),
	]);
	const total = sum(weights.values()) || 1;
	return sayings
		.map((saying, index): Weighed => {
			const own = told[index] ?? saying.words;
			const covered = coverOf({ ...saying, words: own }, weights) / total;
			const passage = passageOf(saying, weights) / total;
			const form = strayOf(saying, question, glossary) + (isCode(saying.text) ? CODE : 0);
			const kind = question.expects?.(saying.text) ? KIND : 0;
			const place = saying.isFirst ? FIRST : 0;
			const alike = NEIGHBOURS * neighboursIn(saying, question);
			return {
				saying,
				covered,
				passage,
				score: covered - form + kind + place + alike + HIT * saying.hit.score,
			};
		})
		.sort((a, b) => b.score - a.score);
}

/** Its own words, and those of the question that ask for it. */
function wordsTold({ of, words }: Saying, question: Question, glossary: Glossary): ReadonlySet<string> {
	return of?.isValue ? words.union(askingFor(of.property, question.words, glossary)) : words;
}

/** What is taken from a value that nobody asked for, or that the question itself gives: then what has it may be the answer. */
function strayOf({ of }: Saying, question: Question, glossary: Glossary): number {
	if (!of?.isValue) return 0;
	if (question.isWhy) return STRAY;
	const { property, thing, words } = of;
	const isAsked = askingFor(property, question.words, glossary).size > 0;
	const isGiven = words.isSubsetOf(question.words.union(question.beside));
	if (!isGiven) return isAsked ? 0 : STRAY;
	return question.expects?.(thing.label) ? 0 : STRAY;
}

/** A statement of a program, which says less than what is written beside it. */
function isCode(text: string): boolean {
	return /^\s*(?:def|class|return|import|from|if|for|while|print|const|let|var|function|fn|public|private|use|#include)\b(?=.*[()=:;{])|[;{}]\s*$|\w\([^)]*\)\s*[,;:]?\s*$|^\(/.test(
		text,
	);
}

/** Of Robertson and Spärck Jones, without its negative values. */
function idf(having: number, all: number): number {
	return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function passageOf({ passage }: Saying, weights: ReadonlyMap<string, number>): number {
	return sum([...weights].map(([word, weight]) => (passage.has(word) ? weight : 0)));
}

function coverOf({ words, around, before, passage }: Saying, weights: ReadonlyMap<string, number>): number {
	return sum(
		[...weights].map(([word, weight]) => {
			if (words.has(word)) return weight;
			return (
				weight *
				Math.max(
					around.has(word) ? AROUND : 0,
					before.has(word) ? BEFORE : 0,
					passage.has(word) ? PASSAGE : 0,
				)
			);
		}),
	);
}

/** The share of the words that stand side by side in the question and do so here too. */
function neighboursIn({ order }: Saying, { followers }: Question): number {
	const found = new Set<string>();
	for (const [index, stem] of order.entries()) {
		const next = order[index + 1] ?? "";
		if (followers.get(stem)?.has(next)) found.add(`${stem} ${next}`);
	}
	return found.size === 0 ? 0 : found.size / sum([...followers.values()].map(({ size }) => size));
}

function sum(values: Iterable<number>): number {
	let total = 0;
	for (const value of values) total += value;
	return total;
}
