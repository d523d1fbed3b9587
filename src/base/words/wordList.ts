/** The words of a text that lists them, which white space divides. */
export function wordList(text: string): string[] {
	return text.trim().split(/\s+/);
}
