const PLAIN = /^[\w@%+=:,./-]+$/;

export function shellWord(word: string): string {
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
