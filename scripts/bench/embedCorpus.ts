import type { Embedder } from "../../src/core/knowledge/embedder.ts";
import type { StoredDocument } from "../../src/store/port/store.ts";
import type { Corpus } from "./corpus.ts";

const DOCUMENTS_AT_ONCE = 100;

/** Yields the first documents with their vectors, in batches. */
export async function* embeddedDocuments(
	corpus: Corpus,
	embedder: Embedder,
	count: number,
): AsyncGenerator<StoredDocument[]> {
	for (let first = 0; first < count; first += DOCUMENTS_AT_ONCE) {
		const batch: StoredDocument[] = [];
		for (let number = first; number < Math.min(count, first + DOCUMENTS_AT_ONCE); number++)
			batch.push(await embeddedDocument(corpus, embedder, number));
		yield batch;
	}
}

export async function embeddedDocument(
	corpus: Corpus,
	embedder: Embedder,
	number: number,
	edition = 0,
): Promise<StoredDocument> {
	const document = corpus.document(number, edition);
	const vectors = await embedder.embed(document.passages.map(({ title, text }) => `${title}\n${text}`));
	return { ...document, vectors, embedder: embedder.id };
}
