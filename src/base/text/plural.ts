/** A number with group separators: `13,000`. */
export function numeral(count: number): string {
	return count.toLocaleString("en");
}

/** `1 passage`, `1,234 passages`. Irregular plurals are passed as `nouns`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
	return `${numeral(count)} ${count === 1 ? noun : nouns}`;
}
