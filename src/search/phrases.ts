import type { Passage } from "../core/knowledge/document.ts";

/** The rows whose passages have each of the phrases, word for word. */
export function rowsWithPhrases(
	passages: ReadonlyMap<number, Pick<Passage, "title" | "text">>,
	phrases: readonly string[],
): number[] {
	const wanted = phrases.map(plain);
	return [...passages]
		.filter(([, { title, text }]) => {
			const content = plain(`${title} ${text}`);
			return wanted.every((phrase) => content.includes(phrase));
		})
		.map(([row]) => row);
}

/** Case, accents and spaces do not count. */
function plain(text: string): string {
	return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}
