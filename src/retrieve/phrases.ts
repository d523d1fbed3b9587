/** What stands between quotation marks in a query: passages that have it as it is go first. */
export function phrasesIn(query: string): string[] {
	return [...query.matchAll(/"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/g)]
		.map((match) => squeeze(match.slice(1).find((text) => text !== undefined) ?? ""))
		.filter((phrase) => phrase !== "");
}

/** Whether a text has every phrase; case, accents and line breaks do not count. */
export function hasPhrases(text: string, phrases: readonly string[]): boolean {
	if (phrases.length === 0) return true;
	const folded = squeeze(text);
	return phrases.every((phrase) => folded.includes(phrase));
}

function squeeze(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.toLowerCase()
		.replace(/\s+/g, " ")
		.trim();
}
