import { detectLanguage } from "../../base/language/detect.ts";
import type { Language } from "../../base/language/languages.ts";
import { createTextReader, type Reading } from "../../base/words/textReader.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { StaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { Tokens } from "../../embed/builtIn/tokenizer.ts";
import {
	markOf,
	NAME_JOINERS,
	type Name,
	nameOf,
	namesIn,
	termsOfName,
	withShortNames,
} from "../../search/analyzer.ts";
import { createTermCounter } from "../../search/termCounts.ts";

export type PassageReader = ReturnType<typeof createPassageReader>;

/** `terms` are the numbers of the name's terms in `language`, the language of the last passage with the name. */
interface KnownName extends Name {
	readonly tokens: Tokens;
	language: Language | undefined;
	terms: readonly number[];
	/** Number of occurrences in the current passage; 0 between passages. */
	times: number;
}

const NO_TOKENS: Tokens = { english: [], other: [], foreignness: 0 };
const NO_TERMS: readonly number[] = [];

export function createPassageReader(embedder: StaticEmbedder | undefined) {
	let words = createWords(embedder);
	return {
		read: (passages: readonly Passage[]) => {
			if (words.counter.isFull) words = createWords(embedder);
			return read(passages, words, embedder);
		},
	};
}

function createWords(embedder: StaticEmbedder | undefined) {
	const counter = createTermCounter();
	const names = createTextReader<KnownName>({
		understand: (found) => ({
			...nameOf(found),
			tokens: embedder?.tokensOfName(found) ?? NO_TOKENS,
			language: undefined,
			terms: NO_TERMS,
			times: 0,
		}),
		joiners: NAME_JOINERS,
	});
	return { counter, names, readTerms };

	/** A text of undecided language counts as English, so that the terms of its names are not computed again. */
	function readTerms(found: readonly KnownName[], language: Language = "en"): void {
		for (const name of found) {
			if (name.language === language) continue;
			name.terms = counter.numbersOf(termsOfName(name, language));
			name.language = language;
		}
	}
}

/** Returns the unit vectors of the passages, concatenated; empty without an embedder. */
function read(
	passages: readonly Passage[],
	{ counter, names, readTerms }: ReturnType<typeof createWords>,
	embedder: StaticEmbedder | undefined,
) {
	const dimensions = embedder?.dimensions ?? 0;
	const vectors = new Float32Array(passages.length * dimensions);
	for (const [index, { title, text }] of passages.entries()) {
		const content = withShortNames(`${title}\n${text}`);
		const found = countEach(names.read(content));
		const language = detectLanguage(found.written);
		const named = namesIn(found, language);
		readTerms(named, language);
		counter.add(named, language && markOf(language));
		const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
		embedder?.addUp(embedder.isMadeOfNames(content) ? found : embedder.read(content), vector);
		forgetCounts(found);
	}
	return { vectors, embedder: embedder?.id, terms: counter.take() };
}

/** Keeps the first occurrence of every name and counts the others, so that later steps process fewer words. */
function countEach({ folded, written }: Reading<KnownName>): Reading<KnownName> {
	const counted = different(folded);
	return { folded: counted, written: folded === written ? counted : different(written) };
}

function different(names: readonly KnownName[]): readonly KnownName[] {
	const found: KnownName[] = [];
	for (const name of names) {
		if (name.times === 0) found.push(name);
		name.times++;
	}
	return found;
}

function forgetCounts({ folded, written }: Reading<KnownName>): void {
	for (const name of folded) name.times = 0;
	for (const name of written) name.times = 0;
}
