import type { WordModel } from "../core/knowledge/embedder.ts";
import { isLikely, respelled, spelledWords } from "../search/spelling.ts";
import type { Reads } from "../store/port/store.ts";

/** Replaces words that neither passages nor the model know by the nearest of a passage; none without a model. */
export async function corrected(query: string, store: Reads, words: WordModel | undefined): Promise<string> {
	const strange = words ? spelledWords(query).filter((word) => words.rankOf(word) === undefined) : [];
	if (strange.length === 0) return query;
	const forms = new Map<string, string>();
	for (const [word, terms] of await store.spellings(strange.join(" ")))
		for (const term of terms) {
			const form = await formOf(term, word, store);
			if (form === undefined) continue;
			forms.set(word, form);
			break;
		}
	return respelled(query, forms);
}

/** The word with this stem that another one is misspelled for, as a passage that can be seen has it. */
async function formOf(term: string, word: string, store: Reads): Promise<string | undefined> {
	const { matches } = await store.matchText(term, { limit: 1 });
	const [passage] = (await store.read(matches.map(({ row }) => row))).values();
	const told = passage ? `${passage.title} ${passage.text}`.match(/\p{L}+/gu) : [];
	return told?.find((other) => other[0]?.toLowerCase() === term[0] && isLikely(word, other));
}
