const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word of a command line that means itself, whatever is in it. */
export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
