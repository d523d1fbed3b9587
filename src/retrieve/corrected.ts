import { languageOf } from "../base/language/detect.ts";
import { FUNCTION_WORDS } from "../base/language/languages.ts";
import { editDistance } from "../base/text/editDistance.ts";
import { wordList } from "../base/words/wordList.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";
import { isLikely, respelled, spelledWords } from "../search/spelling.ts";
import type { Reads } from "../store/port/store.ts";

/** Replaces words that neither the passages nor the model know by the nearest known word, if there is a model. */
export async function corrected(query: string, store: Reads, words: WordModel | undefined): Promise<string> {
	const strange = words ? spelledWords(query).filter((word) => words.rankOf(word) === undefined) : [];
	if (strange.length === 0) return query;
	const forms = new Map<string, string>();
	for (const [word, terms] of await store.spellings(strange.join(" "))) {
		const form = functionWordFor(word, query) ?? (await firstFormOf(terms, word, store));
		if (form !== undefined) forms.set(word, form);
	}
	return respelled(query, forms);
}

/** Question words, which are preferred to other words at the same edit distance. */
const ASKING = wordList("which what when where whose whom welche welcher welches wann warum");

function functionWordFor(word: string, query: string): string | undefined {
	const lower = word.toLowerCase();
	const known = [...ASKING, ...FUNCTION_WORDS[languageOf(query) ?? "en"]];
	return known.find((each) => each[0] === lower[0] && each.length > 2 && editDistance(each, lower) === 1);
}

async function firstFormOf(
	terms: readonly string[],
	word: string,
	store: Reads,
): Promise<string | undefined> {
	for (const term of terms) {
		const form = await formOf(term, word, store);
		if (form !== undefined) return form;
	}
	return undefined;
}

async function formOf(term: string, word: string, store: Reads): Promise<string | undefined> {
	const { matches } = await store.matchText(term, { limit: 1 });
	const [passage] = (await store.read(matches.map(({ row }) => row))).values();
	const told = passage ? `${passage.title} ${passage.text}`.match(/\p{L}+/gu) : [];
	return told?.find((other) => other[0]?.toLowerCase() === term[0] && isLikely(word, other));
}
