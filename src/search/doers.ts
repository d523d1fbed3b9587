/** The present tense of a verb, as far as it can be told by its letters. */
const PRESENT = /^([a-z]{3,}?)s$/i;

/** What somebody may be called who does what a question asks with "who": who directs it is its director. */
export function doersIn(words: readonly string[]): string[] {
	return words.flatMap((word, index) => {
		const [, verb = ""] = (words[index - 1]?.toLowerCase() === "who" && PRESENT.exec(word)) || [];
		if (verb === "") return [];
		const stem = verb.toLowerCase().replace(/e$/, "");
		return ["er", "or"].map((ending) => stem + ending);
	});
}
