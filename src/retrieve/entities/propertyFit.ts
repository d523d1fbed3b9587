import { embedAll } from "../../answer/reading.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { localNameOf } from "../../base/rdf/vocabulary.ts";
import { cosine } from "../../base/words/relevance.ts";
import type { TextEmbedder } from "../../core/knowledge/embedder.ts";
import { isAkin, isFunctionWord } from "./questionWords.ts";

/**
 * Minimum cosine of a fitting property's name with the question. High, since most names differ little. See
 * docs/eval.md.
 */
const LEAST_NEAR = 0.6;

export type PropertyNames = ReturnType<typeof createPropertyNames>;

export function createPropertyNames() {
	const vectors = new Map<string, Float32Array>();
	return {
		stemsOf: memoize((iri: string) => wordsOfProperty(iri).map(englishStem)),
		/** Unit vector; `undefined` until `learn` has embedded the property. */
		vectorOf: (iri: string) => vectors.get(iri),
		unknownOf: (iris: readonly string[]) => iris.filter((iri) => !vectors.has(iri)),
		learn: async (iris: readonly string[], words: TextEmbedder) => {
			const names = iris.map((iri) => wordsOfProperty(iri).join(" "));
			const vectorAt = await embedAll(names, words);
			for (const [index, iri] of iris.entries()) vectors.set(iri, vectorAt(index));
		},
	};
}

/** Rates from 0 to 1 how well a property's name fits the question: by words or, if there are vectors, by meaning. */
export function fitIn(
	question: { readonly words: readonly string[]; readonly vector?: Float32Array | undefined },
	names: PropertyNames,
) {
	const asked = [...new Set(question.words.filter((word) => !isFunctionWord(word)).map(englishStem))];
	return (iri: string): number => {
		const stems = names.stemsOf(iri);
		const akin = stems.filter((stem) => asked.some((word) => isAkin(stem, word)));
		const shared = akin.length / Math.max(1, stems.length);
		const vector = question.vector && names.vectorOf(iri);
		const near = vector && question.vector ? cosine(vector, question.vector) : 0;
		return Math.max(shared, near >= LEAST_NEAR ? near : 0);
	};
}

/** The words of a property's name, without function words: "category" for `hasCategory`. */
function wordsOfProperty(iri: string): string[] {
	const words = localNameOf(iri).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [];
	const lower = words.map((word) => word.toLowerCase());
	const telling = lower.filter((word) => !isFunctionWord(word));
	return telling.length > 0 ? telling : lower;
}
