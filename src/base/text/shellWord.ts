const PLAIN = /^[\w@%+=:,./-]+$/;

/** Quotes an argument for a shell if necessary. */
export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
