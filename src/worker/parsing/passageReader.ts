import { createTextReader } from "../../base/textReader.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import type { StaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { Tokens } from "../../embed/builtIn/tokenizer.ts";
import { NAME_JOINERS, termsOfName } from "../../search/analyzer.ts";
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

/** A name as it was understood: the numbers of its terms, and its tokens. */
interface Name {
	readonly terms: readonly number[];
	readonly tokens: Tokens;
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
	const names = createTextReader<Name>({
		understand: (name) => ({
			terms: counter.numbersOf(termsOfName(name)),
			tokens: embedder?.tokensOfName(name) ?? NO_TOKENS,
		}),
		joiners: NAME_JOINERS,
	});
	return { counter, names };
}

function read(
	passages: readonly Passage[],
	{ counter, names }: ReturnType<typeof createWords>,
	embedder: StaticEmbedder | undefined,
): PassagesRead {
	const dimensions = embedder?.dimensions ?? 0;
	const vectors = new Float32Array(passages.length * dimensions);
	for (const [index, { title, text }] of passages.entries()) {
		const content = `${title}\n${text}`;
		const found = names.read(content);
		counter.add(found.folded);
		const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
		embedder?.addUp(embedder.isMadeOfNames(content) ? found : embedder.read(content), vector);
	}
	return { vectors, embedder: embedder?.id, terms: counter.take() };
}
