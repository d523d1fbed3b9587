/** Formats a number with group separators: `13,000`. */
export function numeral(count: number): string {
	return count.toLocaleString("en");
}

/** Formats a count with its noun: `1 passage`, `1,234 passages`. Pass an irregular plural as `nouns`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
	return `${numeral(count)} ${count === 1 ? noun : nouns}`;
}
