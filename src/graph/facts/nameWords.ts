/** Most names: in these, nothing has to be folded. */
const IS_ASCII = /^\p{ASCII}*$/u;

/** The words of a name or a question: lower case, without diacritics, parted at everything that is no letter or digit. */
export function nameWords(text: string): string[] {
	if (IS_ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
	return (
		text
			.normalize("NFKD")
			.replace(/\p{M}+/gu, "")
			.toLowerCase()
			.match(/[\p{L}\p{N}]+/gu) ?? []
	);
}

/** What is the same for every way of writing a name: `worksFor`, `works_for` and `Works for` are `worksfor`. */
export function nameKey(words: readonly string[]): string {
	return words.join("");
}
