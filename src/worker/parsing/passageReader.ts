import { detectLanguage } from "../../base/language/detect.ts";
import type { Language } from "../../base/language/languages.ts";
import { createTextReader } from "../../base/words/textReader.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { StaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { Tokens } from "../../embed/builtIn/tokenizer.ts";
import { markOf, NAME_JOINERS, type Name, nameOf, namesIn, termsOfName } from "../../search/analyzer.ts";
import { createTermCounter, type SentTerms } from "../../search/termCounts.ts";

/** What is found by reading passages word for word. */
interface PassagesRead {
	/** A unit vector for every passage, one after the other; empty without an embedder. */
	readonly vectors: Float32Array;
	/** The embedder that made them. */
	readonly embedder: string | undefined;
	readonly terms: SentTerms;
}

/** Makes the vectors of passages and counts their terms; every text is read once for both. */
export interface PassageReader {
	read(passages: readonly Passage[]): PassagesRead;
}

/** A name as it was understood: its tokens, and the numbers of its terms in the language that it was found in last. */
interface KnownName extends Name {
	readonly tokens: Tokens;
	language: Language | undefined;
	terms: readonly number[] | undefined;
}

const NO_TOKENS: Tokens = { english: [], other: [], foreignness: 0 };

export function createPassageReader(embedder: StaticEmbedder | undefined): PassageReader {
	let words = createWords(embedder);
	return {
		read: (passages) => {
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
			terms: undefined,
		}),
		joiners: NAME_JOINERS,
	});
	return { counter, names, termsIn };

	function termsIn(name: KnownName, language: Language | undefined): readonly number[] {
		if (name.terms === undefined || name.language !== language) {
			name.terms = counter.numbersOf(termsOfName(name, language));
			name.language = language;
		}
		return name.terms;
	}
}

function read(
	passages: readonly Passage[],
	{ counter, names, termsIn }: ReturnType<typeof createWords>,
	embedder: StaticEmbedder | undefined,
): PassagesRead {
	const dimensions = embedder?.dimensions ?? 0;
	const vectors = new Float32Array(passages.length * dimensions);
	for (const [index, { title, text }] of passages.entries()) {
		const content = `${title}\n${text}`;
		const found = names.read(content);
		const language = detectLanguage(found.written);
		counter.add(
			namesIn(found, language).map((name) => termsIn(name, language)),
			language && markOf(language),
		);
		const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
		embedder?.addUp(embedder.isMadeOfNames(content) ? found : embedder.read(content), vector);
	}
	return { vectors, embedder: embedder?.id, terms: counter.take() };
}
