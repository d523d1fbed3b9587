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

/** Makes the vectors of passages and counts their terms; every text is read once for both. */
export type PassageReader = ReturnType<typeof createPassageReader>;

/** A name as it was understood: its tokens, and the numbers of its terms in the language that it was found in last. */
interface KnownName extends Name {
	readonly tokens: Tokens;
	language: Language | undefined;
	terms: readonly number[];
	/** How often the passage at work has it; 0 between two passages. */
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

	/** What is in no language for sure is read as English, so that two such passages do not read their names again and again. */
	function readTerms(found: readonly KnownName[], language: Language = "en"): void {
		for (const name of found) {
			if (name.language === language) continue;
			name.terms = counter.numbersOf(termsOfName(name, language));
			name.language = language;
		}
	}
}

/** Vectors are unit vectors, one after the other for every passage; empty without an embedder. */
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

/** Every name once, at its first position, with its count: later steps then look at few words of a text. */
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
