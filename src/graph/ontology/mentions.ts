import { localNameOf } from "../../base/rdf/iriParts.ts";
import type { Prefixes } from "../../base/rdf/prefixes.ts";
import type { ClassUse } from "./ontologySummary.ts";

/** The classes that a text mentions by their names or by those of their properties, the best mentioned first. */
export function findMentioned(classes: readonly ClassUse[], text: string, prefixes: Prefixes): ClassUse[] {
	const words = new Set(wordsOf(text));
	const names = new Set(text.split(/[\s,;<>"'()]+/).filter((name) => name !== ""));
	const shareOf = (iri: string, label = "") =>
		names.has(iri) || names.has(prefixes.compact(iri))
			? 1
			: Math.max(shareIn(words, localNameOf(iri)), shareIn(words, label));
	const scoreOf = ({ iri, label, properties }: ClassUse) =>
		Math.max(
			shareOf(iri, label),
			properties.some((property) => shareOf(property.iri) === 1) ? PROPERTY_SCORE : 0,
		);
	return classes
		.map((use) => ({ use, score: scoreOf(use) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ use }) => use);
}

/** A class is less likely to be meant for one of its properties than for its name. */
const PROPERTY_SCORE = 0.25;

/** How much of a name stands among the words. */
function shareIn(words: ReadonlySet<string>, name: string): number {
	const own = wordsOf(name);
	return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length;
}

/** Lower-case words without the plural's ending; `ScholarlyArticles` has two. */
function wordsOf(text: string): string[] {
	const words = text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [];
	return words.map((word) =>
		word
			.toLowerCase()
			.replace(/ies$/, "y")
			.replace(/(?<=..)s$/, ""),
	);
}
