/** Items of a text that lists them, divided by bars or lines. */
export function listed(text: string): string[] {
	return text.trim().split(/\s*[|\n]\s*/);
}
