import { decodeEntities } from "../base/words/entities.ts";
import { fold } from "../base/words/wordTable.ts";

export const PHRASE = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu;

export function phrasesIn(query: string): string[] {
	return [...query.matchAll(PHRASE)]
		.map((match) => plain(match.slice(1).find((text) => text !== undefined) ?? ""))
		.filter((phrase) => phrase !== "");
}

export function isOfPhrases(query: string): boolean {
	const rest = query.replace(PHRASE, " ");
	return rest !== query && !/[\p{L}\p{N}]/u.test(rest);
}

interface Titled {
	readonly title: string;
	readonly text: string;
}

export function hasPhrases({ title, text }: Titled, phrases: readonly string[]): boolean {
	if (phrases.length === 0) return true;
	const content = plain(`${title}\n${text}`);
	return phrases.every((phrase) => content.includes(plain(phrase)));
}

export function rowsWithPhrases(passages: ReadonlyMap<number, Titled>, phrases: readonly string[]): number[] {
	return [...passages].filter(([, passage]) => hasPhrases(passage, phrases)).map(([row]) => row);
}

/** Ignores case, accents and the number of spaces. */
function plain(text: string): string {
	return fold(decodeEntities(text)).toLowerCase().replace(/\s+/g, " ").trim();
}
